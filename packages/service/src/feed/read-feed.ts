// Reads a page of a feed.
import { UUID_PATTERN } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type Feed, MarkerExpiredError, UnknownMarkerError } from './feed.js';
import {
  type FeedFilter,
  type Framing,
  type MarkerRow,
  type PageRow,
  selectMarkerPosition,
  selectPage,
} from './queries.js';

const uuidPattern = new RegExp(UUID_PATTERN);

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
  const [row] = uuidPattern.test(marker)
    ? await database.query<MarkerRow>(selectMarkerPosition(feed, marker))
    : [];
  if (row === undefined) {
    throw new UnknownMarkerError(`${marker} is not a marker that this organisation received here`);
  }
  if (row.expired) throw new MarkerExpiredError(feed.kind.expired?.startAgain ?? '');
  return row.position;
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
  // Without a filter positions have no gap, so a missing one has expired since the marker was looked up.
  const { expired } = feed.kind;
  if (expired !== undefined && after > 0 && filter === undefined && first !== after + 1) {
    throw new MarkerExpiredError(expired.startAgain);
  }
  return { entries, more, position, marker: id ?? undefined, body: body ?? '' };
}

/** The page after the last entry of a feed. */
export function emptyPage(position: number, framing: Framing): Page {
  const body = framing === 'json' ? '[]' : '';
  return { entries: 0, more: false, position, marker: undefined, body };
}
