// Waits for work, but not for ever: the work goes on.
import { setTimeout as delay } from 'node:timers/promises';

/** The result, or `undefined` after so many milliseconds. */
export async function waitAtMost<Result>(
  work: Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  // It may fail after the wait.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timer]);
  } finally {
    controller.abort();
  }
}
