// The error of a wait for routings that ended before all of them were there.
import { LandfallError } from './landfall-error.js';

/**
 * Not every document had its routing within the time of `waitForRouting`. Those that had one were handed out. Wait again
 * for the items of `pending`, with the same store or after `marker`.
 */
export class RoutingPendingError<Item = unknown> extends LandfallError {
  override readonly code = 'ROUTING_PENDING';
  override name = 'RoutingPendingError';
  /** The items without a routing, in the order in which they were given. */
  readonly pending: readonly Item[];
  /** The marker after which to continue; `undefined` if no signal was read. */
  readonly marker: string | undefined;

  constructor(pending: readonly Item[], withinMs: number, marker: string | undefined) {
    const documents = pending.length === 1 ? '1 document has' : `${pending.length} documents have`;
    super(`${documents} no routing after ${withinMs / 1000} s`);
    this.pending = pending;
    this.marker = marker;
  }
}
