// Finds after which entry the deliveries of a new subscription begin.
import type { ValidationError } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import type { Feed, FeedStart } from '../feed/feed.js';
import { selectFeedEnds, selectIdAt } from '../feed/queries.js';
import { findMarker, findTime } from '../feed/read-feed.js';
import { goodsItemEvents } from '../goods-items/event-feed.js';

/** The last entry that is not delivered: its position, and its id if there is one. */
export type Begin = { position: number; marker: string | undefined };

/**
 * Finds where deliveries begin: after a marker, at a time, or with what comes from now on.
 *
 * @param now the time after which none may be
 * @throws UnknownMarkerError, MarkerExpiredError as reading does
 */
export async function findBegin(
  database: Queryable,
  feed: Feed,
  { marker, since }: FeedStart,
  now: Date,
): Promise<Begin | { errors: ValidationError[] }> {
  if (marker !== undefined && since !== undefined) {
    const error = 'must not be given together with marker';
    return { errors: [{ field: 'since', error, code: 'INCOMPATIBLE' }] };
  }
  if (since !== undefined && Date.parse(since) > now.getTime()) {
    const error = 'must not be in the future';
    return { errors: [{ field: 'since', error, code: 'TIME_OUT_OF_RANGE' }] };
  }
  if (marker !== undefined) {
    return { position: await findMarker(database, feed, marker), marker: marker.toLowerCase() };
  }
  // Before the time is looked for: what is added meanwhile is after this end.
  const [end] = await database.query(selectFeedEnds(feed.kind, [feed.owner]));
  const found = since === undefined ? undefined : await findTime(database, feed, since);
  const position = found ?? end?.position ?? 0;
  // Whoever has a view may not know of the last message.
  if (feed.kind === goodsItemEvents) return { position, marker: undefined };
  const [entry] = await database.query(selectIdAt(feed, position));
  return { position, marker: entry?.id };
}
