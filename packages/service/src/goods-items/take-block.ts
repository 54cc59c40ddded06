// How much of what waits goes together: bounded by number and by bytes.

/** What a block holds at most. */
export type BlockLimits = { events: number; bytes: number };

/**
 * How many of these make a block: as many as the limits allow, and one at least.
 *
 * @param start where the block begins
 */
export function takeBlock(
  events: readonly { bytes: number }[],
  limits: BlockLimits,
  start = 0,
): number {
  let bytes = 0;
  let count = 0;
  for (let index = start; index < events.length && count < limits.events; index++) {
    bytes += events[index]?.bytes ?? 0;
    if (bytes > limits.bytes && count > 0) break;
    count++;
  }
  return count;
}
