// Reads a page of a feed.
import { isUuid } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import {
  type Feed,
  type FeedKind,
  type FeedStart,
  MarkerExpiredError,
  UnknownMarkerError,
} from './feed.js';
import {
  type FeedFilter,
  type Framing,
  type MarkerRow,
  positionOfMarker,
  selectMarker,
  selectPage,
  selectPositionBefore,
} from './queries.js';
import { adviseAfterRestoration, checkTimeline } from './timelines.js';

/** A read of a feed: where it begins, how many entries it has at most, and which. */
export type FeedRequest = FeedStart & {
  feed: Feed;
  /** How many entries are passed over first; default: none. */
  skip?: number | undefined;
  limit?: number | undefined;
  filter?: FeedFilter | undefined;
  restrict?: Restrict | undefined;
};

/** Finds what the reader may see, if that is not everything. It is asked for each page, because it may change meanwhile. */
export type Restrict = () => Promise<Restriction | undefined>;

/** What a reader may see of a feed: the module of the feed decides, and reads the pages. */
export type Restriction = {
  /** Another one after each change. */
  id: string;
  /**
   * The entries after a position that the reader may see, as `readPage` gives them. A page without entries of which `more`
   * is true has searched a part of the feed: read on after its position.
   *
   * @param upTo no later entry is read; default: all are
   * @throws MarkerExpiredError when entries after the position are not kept any longer
   */
  readPage(after: number, limit: number, framing: Framing, upTo?: number): Promise<Page>;
};

/** A page of a feed. */
export type Page = {
  entries: number;
  /** Whether more may follow: a page ends at `limit` entries or at `MAX_PAGE_BYTES`. */
  more: boolean;
  /** The position to read on after; with a filter it is the last that was scanned. */
  position: number;
  /** The id of the last entry: the marker to read on from. */
  marker: string | undefined;
  /** All entries as one text. */
  body: string;
};

/**
 * The position of the entry with this id.
 *
 * @param timeline that in which the marker was received; without it, it may be that of another entry after a restoration
 * @throws UnknownMarkerError when the feed has no such entry, or another one than in the timeline
 * @throws MarkerExpiredError when entries after it are not kept any longer
 */
export async function findMarker(
  database: Queryable,
  feed: Feed,
  marker: string,
  timeline?: string,
): Promise<number> {
  const [found] = isUuid(marker) ? await database.query(selectMarker(feed, marker)) : [];
  const position = found && positionAfterRemoval(feed.kind, marker, found);
  if (position !== undefined) {
    if (timeline !== undefined) await checkTimeline(database, feed, position, timeline);
    return position;
  }
  const restored = isUuid(marker) ? await adviseAfterRestoration(database, feed) : undefined;
  throw new UnknownMarkerError(
    `${marker} is not a marker that this organisation received here: it is of another organisation, feed or environment, or ${restored ?? 'the database was restored to a time before it. Continue after an earlier marker, or read again from the start'}`,
  );
}

/** The position after which the entries follow that were added at a time or later; `undefined` if there are none. */
export async function findTime(
  database: Queryable,
  feed: Feed,
  since: string,
): Promise<number | undefined> {
  const [found] = await database.query(selectPositionBefore(feed, since));
  return found?.position;
}

/**
 * The position of a marker whose entry is kept, or was removed while all entries after it are kept; `undefined` if there
 * was no such entry. If only the last removed id is known, any other given one may have been there.
 */
function positionAfterRemoval(
  kind: FeedKind,
  marker: string,
  { position, expiredPosition, removedPosition, removedId }: MarkerRow,
): number | undefined {
  if (position !== null) return position;
  if (marker.toLowerCase() === removedId) return removedPosition;
  const isRemoved =
    kind.expiredIds === undefined
      ? removedId !== null && (kind.ids === 'given' || positionOfMarker(marker) <= removedPosition)
      : expiredPosition !== null;
  if (isRemoved) throw new MarkerExpiredError(kind);
  return undefined;
}

/**
 * The entries after a position, at most `limit` and at most `MAX_PAGE_BYTES`, in their order. Position 0 is the
 * beginning of what is kept.
 *
 * @throws MarkerExpiredError when entries after the position are not kept any longer
 */
export async function readPage(
  database: Queryable,
  feed: Feed,
  after: number,
  limit: number,
  framing: Framing,
  filter?: FeedFilter,
): Promise<Page> {
  const [row] = await database.query(selectPage(feed, after, limit, framing, filter));
  if (row === undefined || row.entries === 0) return emptyPage(row?.position ?? after, framing);
  const { entries, more, position, id, first, body } = row;
  // Without a filter positions have no gap, so a missing one was removed since the marker was looked up.
  if (after > 0 && filter === undefined && first !== after + 1) {
    throw new MarkerExpiredError(feed.kind);
  }
  return { entries, more, position, marker: id ?? undefined, body: body ?? '' };
}

/** The page after the last entry of a feed. */
export function emptyPage(position: number, framing: Framing): Page {
  const body = framing === 'json' || framing === 'delivery' ? '[]' : '';
  return { entries: 0, more: false, position, marker: undefined, body };
}
