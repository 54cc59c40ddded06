// The error of a wait for routings that ended before all of them were there.
import { LandfallError } from './landfall-error.js';

/**
 * Not every document had its routing within the time of `waitForRouting`, or the time was over before all were looked up.
 * Those whose routing is known were handed out. Wait again for the items of `pending`, with the same store or after `marker`.
 */
export class RoutingPendingError<Item = unknown> extends LandfallError {
  override readonly code = 'ROUTING_PENDING';
  override name = 'RoutingPendingError';
  /** The items that were not handed out, in the order in which they were given. */
  readonly pending: readonly Item[];
  /** The marker after which to continue; `undefined` if no signal was read. */
  readonly marker: string | undefined;
  /** How many of them were not looked up in this time, or the past was not read to its end: they may have a routing. */
  readonly notLookedUp: number;

  constructor(
    pending: readonly Item[],
    withinMs: number,
    marker: string | undefined,
    notLookedUp = 0,
  ) {
    const documents = pending.length === 1 ? '1 document has' : `${pending.length} documents have`;
    const unknown =
      notLookedUp === 0
        ? ''
        : `; ${notLookedUp} of these were not looked up in this time and may have one: wait for longer, or only for those whose routing you do not know`;
    super(`${documents} no routing after ${withinMs / 1000} s${unknown}`);
    this.pending = pending;
    this.marker = marker;
    this.notLookedUp = notLookedUp;
  }
}
