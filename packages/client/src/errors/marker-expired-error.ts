// The error of a follower that comes too late.
import { LandfallError } from './landfall-error.js';

/** Entries after the marker are no longer kept: a follower that continued would miss them. */
export class MarkerExpiredError extends LandfallError {
  override readonly code = 'MARKER_EXPIRED';
  override name = 'MarkerExpiredError';
  /** The marker that has expired. */
  readonly expired: string | undefined;
  /**
   * Where to start again: read the current goods items, then follow after this marker. `undefined` for statuses and
   * signals, and if it could not be read: start again without a marker, with the oldest entry that is kept.
   */
  readonly marker: string | undefined;

  constructor(expired: string | undefined, marker: string | undefined, cause: unknown) {
    super(
      `entries after the marker ${expired} are no longer kept: ${
        marker === undefined
          ? 'start again without a marker'
          : `read the current items and follow after ${marker}`
      }`,
      { cause },
    );
    this.expired = expired;
    this.marker = marker;
  }
}
