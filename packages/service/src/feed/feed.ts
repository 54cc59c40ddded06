// The ordered, resumable feed: entries of one owner in a fixed order, each with an id that serves as marker.
//
// A writer holds the owner's lock (database/locks.ts) from before it reads the last position until it has committed. So
// positions become visible in order and without a gap, on any number of servers, and a reader that continues after the
// last position it saw misses nothing.

/** A kind of feed, and the table that holds its entries: owner, position, id, entry. */
export type FeedKind = {
  /** Identifies the kind in announcements to other servers. */
  number: number;
  table: string;
  /** `minted`: the ids carry the position; `given`: they come from outside and are unique in the feed. */
  ids: 'minted' | 'given';
  /**
   * The table of expired entries (owner, position, id), and where a reader that missed some starts again. Without it, all
   * entries are kept.
   */
  expired?: { table: string; startAgain: string };
};

/** One feed: its kind and its owner. */
export type Feed = { kind: FeedKind; owner: number };

/** What a client received: every entry from position `first` to `last`. */
export type FeedAccess = {
  feed: Feed;
  reader: { organisation: string; clientId: string };
  first: number;
  last: number;
};

/** The marker is not the id of an entry of this feed. */
export class UnknownMarkerError extends Error {
  readonly code = 'UNKNOWN_MARKER';
  override name = 'UnknownMarkerError';
}

/** Entries after the marker have expired: a reader that continued would miss them. */
export class MarkerExpiredError extends Error {
  readonly code = 'MARKER_EXPIRED';
  override name = 'MarkerExpiredError';

  /** @param startAgain where the reader continues instead */
  constructor(startAgain: string) {
    super(`is older than what is kept here: start again from ${startAgain}`);
  }
}

/** Identifies a feed. */
export function feedKey(kind: number, owner: number): string {
  return `${kind}:${owner}`;
}
