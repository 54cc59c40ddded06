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
 * some are confirmed that are none: those are tried again.
 */
function findFault(recheck, source, flags) {
  for (let attempt = 1; ; attempt++) {
    // Without a timeout: the result does not depend on the machine.
    const { status, checker, complexity, attack, error } = recheck.checkSync(source, flags, {
      timeout: null,
    });
    if (status === 'safe') return undefined;
    if (checker === 'fuzz' && attempt < MAX_ATTEMPTS) continue;
    return `${complexity?.summary ?? error?.kind ?? status}, ${attack?.pattern ?? ''}`;
  }
}
