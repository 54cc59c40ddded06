// The ordered, resumable feed: entries of one owner in a fixed order, each with an id that serves as marker.
//
// How the promise is kept: whoever appends holds the owner's lock (database/locks.ts) from before it looks for the last
// position until it has committed. So positions become visible in their order and without a gap, whoever writes on whichever
// server, and a reader that goes on after the last position it saw misses nothing.

/** A kind of feed, and the table that holds its entries: owner, position, id, entry. */
export type FeedKind = {
  /** What tells kinds apart in announcements to other servers. */
  number: number;
  table: string;
  /** `minted`: the ids carry the position; `given`: they come from outside and are unique in the feed. */
  ids: 'minted' | 'given';
  /**
   * The table where entries are noted (owner, position, id) that are not kept any longer, and what a reader does who
   * has missed them; without it all are kept.
   */
  expired?: { table: string; startAgain: string };
};

/** One feed: a kind and whose it is. */
export type Feed = { kind: FeedKind; owner: number };

/** What a client was given: every entry from the position `first` to `last`. */
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

/** Entries that follow the marker are not kept any longer: whoever goes on would miss them. */
export class MarkerExpiredError extends Error {
  readonly code = 'MARKER_EXPIRED';
  override name = 'MarkerExpiredError';

  /** @param startAgain where the reader goes on instead */
  constructor(startAgain: string) {
    super(`is older than what is kept here: start again from ${startAgain}`);
  }
}

/** A text that tells feeds apart. */
export function feedKey(kind: number, owner: number): string {
  return `${kind}:${owner}`;
}
