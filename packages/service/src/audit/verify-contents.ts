// Checks other tables against the audit trail: the feed entries, events and feed accesses that a record lists or has a
// digest of.
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import type { AuditBreak, ReadRecord } from './read-record.js';
import {
  digestListed,
  findRemoved,
  type ListedRange,
  selectEvents,
  selectFeedAccesses,
} from './verification-queries.js';

/**
 * Finds the records whose contents were changed after they were recorded. Contents that retention has removed in part are
 * not compared.
 *
 * @param feeds every kind of feed
 */
export async function checkContents(
  database: Queryable,
  feeds: readonly FeedKind[],
  records: readonly ReadRecord[],
): Promise<AuditBreak[]> {
  const breaks: AuditBreak[] = [];
  const report = ({ chain, position }: ReadRecord, problem: string) =>
    breaks.push({ chain, position, code: 'CONTENT_CHANGED', problem });
  for (const { record, problem } of await findChangedEntries(database, feeds, records)) {
    report(record, problem);
  }
  for (const record of records) {
    if (record.eventsDigest !== undefined && (await eventsChanged(database, record))) {
      report(record, 'the events of house consignments that belong to it were changed');
    }
    if (record.feedAccesses !== undefined && (await feedAccessesChanged(database, record))) {
      report(record, 'the feed accesses that belong to it were changed');
    }
  }
  return breaks;
}

/** Compares what records list as appended with the entries: one query for the lists of all records. */
async function findChangedEntries(
  database: Queryable,
  feeds: readonly FeedKind[],
  records: readonly ReadRecord[],
): Promise<{ record: ReadRecord; problem: string }[]> {
  const lists = records.flatMap((record) =>
    record.appended.map(({ ranges, digest }) => ({ record, ranges, digest })),
  );
  if (lists.length === 0) return [];
  const known = new Set(feeds.map(({ number }) => number));
  const listed = lists.flatMap(({ ranges }, list): ListedRange[] =>
    ranges.map((range) => ({ ...range, list })),
  );
  const digests = await database.query(digestListed(feeds, listed));
  const digestOf = new Map(digests.map(({ list, digest }) => [list, digest]));
  const changed = new Set(
    lists.flatMap(({ digest }, list) =>
      digest === digestOf.get(list) && digest !== undefined ? [] : list,
    ),
  );
  if (changed.size === 0) return [];
  const removed = await database.query(findRemoved(listed.filter(({ list }) => changed.has(list))));
  for (const { list } of removed) changed.delete(list);
  return lists
    .filter((_, list) => changed.has(list))
    .map(({ record, ranges }) => {
      const unknown = ranges.find(({ feed }) => !known.has(feed));
      const problem =
        unknown === undefined
          ? 'the feed entries that it lists were changed'
          : `it lists entries of the kind of feed ${unknown.feed}, which this version does not verify`;
      return { record, problem };
    });
}

async function eventsChanged(
  database: Queryable,
  { chain, position, events, eventsDigest }: ReadRecord,
): Promise<boolean> {
  const [row] = await database.query(selectEvents(chain, position));
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
