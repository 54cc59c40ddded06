// Reads whether the goods of a transport may be unloaded.
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import { type Asking, type EntryRow, selectEntryStatus } from './descendant-queries.js';

/** The feeds of other modules that wake whoever waits. */
export type EntryFeeds = {
  /** The kind of the feeds of routing signals: what is decided may change an entry status. */
  signals: FeedKind;
};

/** The entry status of the transport with this MRN; `undefined` if the organisation may ask about none. */
export async function getEntryStatus(
  database: Queryable,
  mrn: string,
  asking: Asking,
): Promise<EntryRow | undefined> {
  const [row] = await database.query(selectEntryStatus(mrn, asking));
  return row;
}

/**
 * Whether a status is worth the response to a request that waits: it is true, or not what it was at first. One of an unknown
 * transport is waited for too, as the status of an unknown request is.
 */
export function isWorthReport(first: EntryRow | undefined, now: EntryRow | undefined): boolean {
  return now?.validEntry === true || now?.reasons.join() !== first?.reasons.join();
}
