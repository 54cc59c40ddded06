// Checks other tables against the audit trail: the feed entries, events and feed accesses that a record lists or has a
// digest of.
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import type { AuditBreak, ReadRecord } from './read-record.js';
import {
  digestListed,
  digestRange,
  findRemoved,
  type ListedEntries,
  selectEvents,
  selectFeedAccesses,
} from './verification-queries.js';

/**
 * Finds the records whose contents were changed after they were recorded. Contents that retention has removed in part are
 * not compared.
 *
 * @param feeds the kinds of feed whose entries are covered by digests
 */
export async function checkContents(
  database: Queryable,
  feeds: readonly FeedKind[],
  records: readonly ReadRecord[],
): Promise<AuditBreak[]> {
  const breaks: AuditBreak[] = [];
  const report = ({ chain, position }: ReadRecord, problem: string) =>
    breaks.push({ chain, position, code: 'CONTENT_CHANGED', problem });
  for (const record of await findChangedLists(database, feeds, records)) {
    report(record, 'the feed entries that it lists were changed');
  }
  for (const record of records) {
    for (const { range, digest } of record.appended.ranges) {
      if (await isRangeChanged(database, feeds, range, digest)) {
        report(record, `the feed entries ${range} were changed`);
      }
    }
    if (record.eventsDigest !== undefined && (await eventsChanged(database, record))) {
      report(record, 'the events of house consignments that belong to it were changed');
    }
    if (record.feedAccesses !== undefined && (await feedAccessesChanged(database, record))) {
      report(record, 'the feed accesses that belong to it were changed');
    }
  }
  return breaks;
}

/** One query for the lists of all records. */
async function findChangedLists(
  database: Queryable,
  feeds: readonly FeedKind[],
  records: readonly ReadRecord[],
): Promise<ReadRecord[]> {
  const listed: ListedEntries = { records: [], feeds: [], owners: [], positions: [] };
  for (const [index, record] of records.entries()) {
    for (const entry of record.appended.entries) {
      const [, feed, owner, position] = /^(\d{1,9})\/(\d{1,9})\/(\d{1,15})$/.exec(entry) ?? [];
      listed.records.push(index);
      listed.feeds.push(Number(feed ?? 0));
      listed.owners.push(Number(owner ?? 0));
      listed.positions.push(Number(position ?? 0));
    }
  }
  if (listed.records.length === 0) return [];
  const rows = await database.query<{ record: number; digest: string }>(
    digestListed(feeds, listed),
  );
  const digests = new Map(rows.map(({ record, digest }) => [record, digest]));
  const changed = records.filter(
    ({ appended }, index) => appended.entries.length > 0 && digests.get(index) !== appended.digest,
  );
  if (changed.length === 0) return [];
  const removed = await database.query<{ record: number }>(findRemoved(listed));
  const isRemoved = new Set(removed.map(({ record }) => records[record]));
  return changed.filter((record) => !isRemoved.has(record));
}

async function isRangeChanged(
  database: Queryable,
  feeds: readonly FeedKind[],
  range: string,
  digest: unknown,
): Promise<boolean> {
  const [, feed, owner, first, last] =
    /^(\d{1,9})\/(\d{1,9})\/(\d{1,15})-(\d{1,15})$/.exec(range) ?? [];
  const kind = feeds.find(({ number }) => number === Number(feed));
  if (kind === undefined) return true;
  const [row] = await database.query<{ digest: string }>(
    digestRange(kind, Number(owner), Number(first), Number(last)),
  );
  if (row?.digest === digest) return false;
  const removed = await database.query(
    findRemoved({
      records: [0],
      feeds: [kind.number],
      owners: [Number(owner)],
      positions: [Number(first)],
    }),
  );
  return removed.length === 0;
}

async function eventsChanged(
  database: Queryable,
  { chain, position, events, eventsDigest }: ReadRecord,
): Promise<boolean> {
  const [row] = await database.query<{ count: number; digest: string }>(
    selectEvents(chain, position),
  );
  return row?.count !== events || row?.digest !== eventsDigest;
}

async function feedAccessesChanged(
  database: Queryable,
  { chain, position, feedAccesses = [] }: ReadRecord,
): Promise<boolean> {
  const stored = await database.query(selectFeedAccesses(chain, position));
  const recorded = feedAccesses.map(({ organisation: _, ...access }) => access);
  return !isDeepStrictEqual(
    stored.map((row) => ({ ...row })),
    recorded,
  );
}
