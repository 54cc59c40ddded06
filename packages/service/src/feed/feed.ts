// The ordered, resumable feed: entries of one owner in a fixed order, each with an id that serves as marker.
//
// A writer holds the owner's lock (database/locks.ts) until it has committed. So positions become visible in order and
// without a gap, on any number of servers, and a reader that continues after the last position it saw misses nothing.

/** A kind of feed, and the table that holds its entries: owner, position, id, entry. */
export type FeedKind = {
  /** Identifies the kind in the database, in the audit trail, and in announcements to other servers. */
  number: number;
  /** Names the kind in metrics and in the log. */
  name: string;
  table: string;
  /** `minted`: the ids carry the position; `given`: they come from outside and are unique in the feed. */
  ids: 'minted' | 'given';
  /** Whether each entry is covered by a digest of the audit trail. */
  audited: boolean;
  /** When an entry was added: SQL over its columns. Later entries have later times. */
  time: string;
  /** Where a reader starts again that missed entries, because they were removed. */
  startAgain: string;
  /** How retention removes old entries; without it, the module of the kind has its own way. */
  expiry?: FeedExpiry;
  /**
   * The table that keeps the id of every removed entry: owner, position, id. Without it, only the last one of each feed is
   * known (`feed_state`).
   */
  expiredIds?: string;
};

/** How entries of a kind of feed are removed some time after they were added. */
export type FeedExpiry = {
  /** A table with further rows of an entry: owner, position. */
  details?: string;
};

/** Entries that one call of `append_to_feeds` takes at most: together they are an array in the memory of the database. */
export const MAX_ENTRIES = 5000;

/** Where a read of a feed begins: after the entry of a marker, or at a time; without either, with the oldest entry. */
export type FeedStart = {
  marker?: string | undefined;
  /** In which the marker was received (`timelines.ts`). */
  timeline?: string | undefined;
  since?: string | undefined;
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

  constructor({ startAgain }: Pick<FeedKind, 'startAgain'>) {
    super(`is older than what is kept here: start again from ${startAgain}`);
  }
}

/** Nothing was found in time, and not everything was searched: the same request goes on. */
export class SearchUnfinishedError extends Error {
  readonly code = 'SEARCH_UNFINISHED';
  override name = 'SearchUnfinishedError';

  constructor() {
    super('What is shown is still being searched for. Send the same request again');
  }
}

/** Identifies a feed. */
export function feedKey(kind: number, owner: number): string {
  return `${kind}:${owner}`;
}

/** The feed that such a key identifies. */
export function readFeedKey(key: string): { kind: number; owner: number } {
  const [kind, owner] = key.split(':');
  return { kind: Number(kind), owner: Number(owner) };
}
