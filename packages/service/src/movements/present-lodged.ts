// Presents what was lodged or replaced, if a transport that has arrived reaches it. It is done after the commit: whichever of
// the commits of an arrival and of a message is later sees the other.
import type { ReachedGoods } from '../presentation/present-reached.js';
import { waitAtMost } from '../presentation/wait-at-most.js';

/** How long a request waits for it, in milliseconds. What takes longer, or fails, is presented in the background. */
const MAX_WAIT_MS = 5000;

/**
 * Begins to present what was committed together: it is looked up once for all, and each transport presents once.
 *
 * @param messages the numbers of the messages
 * @returns waits for what reaches a message; it never fails
 */
export function presentLodged(
  reached: ReachedGoods,
  messages: readonly number[],
): (message: number) => Promise<void> {
  const all = reached.presentReaching(messages).catch((error: unknown) => {
    reached.leave(error);
    return new Map<number, Promise<unknown>>();
  });
  const wait = async (message: number) => {
    await (await all).get(message);
  };
  return async (message) => {
    await waitAtMost(wait(message), MAX_WAIT_MS);
  };
}
