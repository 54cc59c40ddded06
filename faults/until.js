// Waits for a condition, with a bound.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until a condition is fulfilled; an error that it throws counts as not fulfilled.
 *
 * @param {() => unknown} condition
 * @param {string} what is waited for; names it in the error
 * @param {number} seconds after which it fails
 */
export async function until(condition, what, seconds = 120) {
  const end = performance.now() + seconds * 1000;
  let last;
  while (performance.now() < end) {
    try {
      const result = await condition();
      if (result) return result;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await delay(100);
  }
  throw new Error(`not within ${seconds} s: ${what}`, { cause: last });
}
