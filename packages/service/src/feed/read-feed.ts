// Reads a page of a feed.
import { isUuid } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type Feed, MarkerExpiredError, UnknownMarkerError } from './feed.js';
import {
  type FeedFilter,
  type FeedStartRow,
  type Framing,
  type MarkerRow,
  type PageRow,
  positionOfMarker,
  selectFeedStart,
  selectMarkerPosition,
  selectPage,
} from './queries.js';

/** A read of a feed: after which entry, at most how many entries, and which. */
export type FeedRequest = {
  feed: Feed;
  marker?: string | undefined;
  limit?: number | undefined;
  filter?: FeedFilter | undefined;
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
 * @throws UnknownMarkerError when the feed has no such entry
 * @throws MarkerExpiredError when entries after it are not kept any longer
 */
export async function findMarker(database: Queryable, feed: Feed, marker: string): Promise<number> {
  if (isUuid(marker)) {
    const [row] = await database.query<MarkerRow>(selectMarkerPosition(feed, marker));
    if (row?.expired) throw new MarkerExpiredError(feed.kind);
    if (row !== undefined) return row.position;
    const removed = await findRemoved(database, feed, marker);
    if (removed !== undefined) return removed;
  }
  throw new UnknownMarkerError(`${marker} is not a marker that this organisation received here`);
}

/**
 * The position of a marker whose entry was removed, if all entries after it are kept. Of given ids that were removed only
 * the last one of a feed is known: any other one may have been there.
 */
async function findRemoved(
  database: Queryable,
  feed: Feed,
  marker: string,
): Promise<number | undefined> {
  const { kind } = feed;
  if (kind.expiredIds !== undefined) return undefined;
  const [start] = await database.query<FeedStartRow>(selectFeedStart(feed, marker));
  if (start === undefined) return undefined;
  if (start.isMarker) return start.position;
  const isLater = kind.ids === 'minted' && positionOfMarker(marker) > start.position;
  if (!isLater) throw new MarkerExpiredError(kind);
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
  const [row] = await database.query<PageRow>(selectPage(feed, after, limit, framing, filter));
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
  const body = framing === 'json' ? '[]' : '';
  return { entries: 0, more: false, position, marker: undefined, body };
}
