// Reads what is delivered next: the one place where entries are read for a subscriber.
import { MAX_DELIVERY_ENTRIES } from '@landfall/contract';
import { type Feed, MarkerExpiredError } from '../feed/feed.js';
import type { FeedViews } from '../feed/feed-views.js';
import type { Restriction } from '../feed/read-feed.js';

/** For whom, after which position, and at most up to which one. */
export type EntriesToRead = {
  feed: Feed;
  organisationId: number;
  after: number;
  /** The last entry of a delivery that has begun before: it is read as it was. */
  upTo: number | undefined;
};

/** The next entries. Without an entry, but with a later position, there is nothing for this subscriber up to there. */
export type EntriesRead = {
  entries: number;
  /** The entries as a JSON array. */
  body: string;
  /** Where to read on after they are confirmed. */
  position: number;
  /** The id of the last entry. */
  marker: string | undefined;
};

/** What restricts the reads of an organisation of a feed; `undefined` if it sees everything. */
export type FindRestriction = (
  feed: Feed,
  organisationId: number,
) => Promise<Restriction | undefined>;

/**
 * Reads entries for a subscriber: what it may read itself.
 *
 * @throws MarkerExpiredError when entries after the position are not kept any longer
 */
export async function readEntries(
  views: FeedViews,
  findRestriction: FindRestriction,
  { feed, organisationId, after, upTo }: EntriesToRead,
): Promise<EntriesRead> {
  const restriction = await findRestriction(feed, organisationId);
  if (restriction !== undefined) {
    return restriction.readPage(after, MAX_DELIVERY_ENTRIES, 'delivery', upTo);
  }
  const limit = upTo === undefined ? MAX_DELIVERY_ENTRIES : Math.max(1, upTo - after);
  const view = await views.take(feed);
  const page = await view.readPage(after, Math.min(limit, MAX_DELIVERY_ENTRIES), 'delivery');
  const { entries, body, position, marker } = page;
  // Positions have no gap, so the first is missing if it was removed. Where nothing was read yet, reading does not notice it.
  if (entries > 0 && position - entries !== after) throw new MarkerExpiredError(feed.kind);
  return { entries, body, position, marker };
}
