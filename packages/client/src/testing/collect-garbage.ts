// Collects garbage again and again, to show that a pending request does not depend on objects that nothing else holds.
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// The cast is true because the flag defines this function.
const gc = runInNewContext('gc') as () => void;

/** Collects garbage ten times within the given time, in milliseconds. */
export async function collectGarbage(durationMs: number): Promise<void> {
  for (let count = 0; count < 10; count++) {
    gc();
    await delay(durationMs / 10);
  }
}
