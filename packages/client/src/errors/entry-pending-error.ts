// The error of a wait for an entry that ended before the goods may be unloaded.
import type { EntryStatus } from '../contract/types.js';
import { LandfallError } from './landfall-error.js';

/** The goods of the transport may not be unloaded within the time of `waitForEntry`. */
export class EntryPendingError extends LandfallError {
  override readonly code = 'ENTRY_PENDING';
  override name = 'EntryPendingError';
  /** The last status, whose `reasons` say why; `undefined` if none was read in this time. */
  readonly status: EntryStatus | undefined;

  constructor(withinMs: number, status: EntryStatus | undefined) {
    const why = status?.reasons === undefined ? '' : `: ${status.reasons.join(', ')}`;
    super(`the goods may not be unloaded after ${withinMs / 1000} s${why}`);
    this.status = status;
  }
}
