// Removes the oldest entries of feeds, in small steps. Positions never start again, because the last entry always stays.
import { type AuditTrail, EXPIRY } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { lockFeeds } from '../feed/lock-queries.js';
import {
  countDueFeeds,
  type ExpiringKind,
  expireEntries,
  selectDueFeeds,
} from './entry-queries.js';

/** Maximum number of feeds, and of entries of each, that one step removes from. */
const MAX_FEEDS = 10;
const MAX_ENTRIES = 100;

/** How long a step waits for the first feed that somebody else has locked, in milliseconds. */
const LOCK_WAIT_MS = 10;

/** How many organisations are examined at once. */
const MAX_EXAMINED = 1000;

/** What removing needs. */
export type ExpiryContext = {
  database: Database;
  audit: AuditTrail;
  clock: () => Date;
  /** The time of a clock that may have been moved; without it, what ends has the database's. */
  movedClock?: (() => Date) | undefined;
};

/**
 * Removes entries that were added before a time. A feed that somebody else has locked is left to the next run.
 *
 * @param relay `to`: the JetStream streams to which the feeds are relayed: what one of them does not have yet stays; `reportWaiting`
 * is called with the number of feeds of which more would have been removed
 * @returns how many each step has removed
 */
export async function* expireFeed(
  context: ExpiryContext,
  kind: ExpiringKind,
  before: Date,
  relay?: { to: readonly string[]; reportWaiting: (feeds: number) => void },
): AsyncGenerator<number> {
  let after = 0;
  for (;;) {
    const [examined] = await context.database.query(
      selectDueFeeds(kind, after, before, MAX_EXAMINED),
    );
    if (examined === undefined || examined.last === null) return;
    const { owners } = examined;
    after = examined.last;
    for (let start = 0; start < owners.length; start += MAX_FEEDS) {
      const some = owners.slice(start, start + MAX_FEEDS);
      for (;;) {
        const removed = await expireStep(context, kind, some, before, relay?.to);
        if (removed === 0) break;
        yield removed;
      }
      if (relay === undefined) continue;
      const [due] = await context.database.query(countDueFeeds(kind, some, before));
      relay.reportWaiting(due?.feeds ?? 0);
    }
  }
}

async function expireStep(
  { database, audit, clock }: ExpiryContext,
  kind: ExpiringKind,
  owners: readonly number[],
  before: Date,
  relayedTo: readonly string[] | undefined,
): Promise<number> {
  return database.transact(async (transaction) => {
    const [row] = await transaction.query(lockFeeds(owners, LOCK_WAIT_MS));
    const rows = await transaction.query(
      expireEntries(kind, row?.locked ?? [], before, MAX_ENTRIES, relayedTo),
    );
    if (rows.length === 0) return 0;
    const removed = rows.map(
      ({ owner, first, last }) => `${kind.number}/${owner}/${first}-${last}`,
    );
    await audit.record(transaction, {
      at: clock(),
      actor: undefined,
      requestId: undefined,
      action: EXPIRY,
      details: { before, removed },
    });
    return rows.reduce((sum, { entries }) => sum + entries, 0);
  });
}
