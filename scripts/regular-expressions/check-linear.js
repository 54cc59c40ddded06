// Checks whether regular expressions take linear time, with recheck (decision 0131).
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Threads that check at the same time; each loads the checker. */
const THREADS = 2;

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
    const [source, flags] = JSON.parse(key);
    // Without a timeout: the result does not depend on the machine.
    const { status, complexity, attack, error } = recheck.checkSync(source, flags, {
      timeout: null,
    });
    const fault =
      status === 'safe'
        ? undefined
        : `${complexity?.summary ?? error?.kind ?? status}, ${attack?.pattern ?? ''}`;
    parentPort?.postMessage({ key, fault });
  });
}
