// Checks whether regular expressions take linear time, with recheck (decision 0131).
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Threads that check at the same time; each loads the checker. */
const THREADS = 2;

/** How often an attack must be confirmed. */
const MAX_ATTEMPTS = 4;

/**
 * Checks expressions whose source is known.
 *
 * @param {readonly import('./find-expressions.js').Expression[]} expressions
 * @returns {Promise<(string | undefined)[]>} for each, what is wrong with it
 */
export async function checkLinear(expressions) {
  const keys = [...new Set(expressions.map(keyOf))];
  const results = new Map();
  let next = 0;
  const run = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { isChecker: true } });
      const give = () => {
        const key = keys[next++];
        if (key !== undefined) return worker.postMessage(key);
        resolve(worker.terminate());
      };
      worker.on('message', ({ key, fault }) => {
        results.set(key, fault);
        give();
      });
      worker.on('error', reject);
      give();
    });
  await Promise.all(Array.from({ length: Math.min(THREADS, keys.length) }, run));
  return expressions.map((expression) => results.get(keyOf(expression)));
}

function keyOf({ source, flags }) {
  return JSON.stringify([source, flags]);
}

if (!isMainThread && workerData?.isChecker === true) {
  // The part in JavaScript: the main entry would look for Java and for programs of the platform.
  const { default: recheck } = await import('recheck/lib/browser.js');
  parentPort?.on('message', (key) => {
    parentPort?.postMessage({ key, fault: findFault(recheck, ...JSON.parse(key)) });
  });
}

/**
 * What is wrong with an expression. Attacks that are found by trying are confirmed by measuring time, so on a busy machine
 * some are confirmed that are none: those are tried again, and measured at two lengths.
 */
function findFault(recheck, source, flags) {
  for (let attempt = 1; ; attempt++) {
    // Without a timeout: the result does not depend on the machine.
    const { status, checker, complexity, attack, error } = recheck.checkSync(source, flags, {
      timeout: null,
    });
    if (status === 'safe') return undefined;
    if (checker === 'fuzz') {
      if (attempt < MAX_ATTEMPTS) continue;
      if (complexity?.type === 'polynomial' && !growsFaster(new RegExp(source, flags), attack)) {
        return undefined;
      }
    }
    return `${complexity?.summary ?? error?.kind ?? status}, ${attack?.pattern ?? ''}`;
  }
}

/**
 * Whether four times the attack takes much more than four times as long: it takes sixteen times where time is quadratic. The
 * fastest of several runs is the one that other programs disturbed least.
 *
 * @param {RegExp} expression
 * @param {{ base: number, suffix: string, pumps: { prefix: string, pump: string, bias: number }[] }} attack
 */
function growsFaster(expression, { base, suffix, pumps }) {
  const measure = (count) => {
    const parts = pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(count + bias));
    const text = parts.join('') + suffix;
    const times = Array.from({ length: 7 }, () => {
      const start = performance.now();
      expression.test(text);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  return measure(4 * base) > 8 * Math.max(measure(base), 0.05);
}
