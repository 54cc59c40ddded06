// What records say of other tables: the feed entries, events and readings that they have a digest or a list of.
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { routingSignals } from '../routing/signal-feed.js';
import type { AuditBreak } from './audit-break.js';
import type { ReadRecord } from './read-record.js';
import {
  digestListed,
  digestRange,
  type ListedEntries,
  selectEvents,
  selectReadings,
} from './verification-queries.js';

/** The feeds whose entries records have digests of. */
const kinds: readonly FeedKind[] = [validationStatuses, routingSignals];

/** The records whose contents are no longer what they say. */
export async function checkContents(
  database: Queryable,
  records: readonly ReadRecord[],
): Promise<AuditBreak[]> {
  const broken: AuditBreak[] = [];
  const tell = ({ chain, position }: ReadRecord, problem: string) =>
    broken.push({ chain, position, code: 'CONTENT_CHANGED', problem });
  for (const record of await findChangedLists(database, records)) {
    tell(record, 'the feed entries that it lists are not what they were');
  }
  for (const record of records) {
    for (const { range, digest } of record.appended.ranges) {
      if ((await digestOfRange(database, range)) !== digest) {
        tell(record, `the feed entries ${range} are not what they were`);
      }
    }
    if (record.eventsDigest !== undefined && (await eventsChanged(database, record))) {
      tell(record, 'the events of house consignments that belong to it are not what they were');
    }
    if (record.readings !== undefined && (await readingsChanged(database, record))) {
      tell(record, 'the readings that belong to it are not what it says');
    }
  }
  return broken;
}

/** All lists of a page are looked up at once. */
async function findChangedLists(
  database: Queryable,
  records: readonly ReadRecord[],
): Promise<ReadRecord[]> {
  const listed: ListedEntries = { records: [], feeds: [], owners: [], positions: [] };
  for (const [place, record] of records.entries()) {
    for (const entry of record.appended.entries) {
      const [, feed, owner, position] = /^(\d{1,9})\/(\d{1,9})\/(\d{1,15})$/.exec(entry) ?? [];
      listed.records.push(place);
      listed.feeds.push(Number(feed ?? 0));
      listed.owners.push(Number(owner ?? 0));
      listed.positions.push(Number(position ?? 0));
    }
  }
  if (listed.records.length === 0) return [];
  const rows = await database.query<{ record: number; digest: string }>(
    digestListed(kinds, listed),
  );
  const digests = new Map(rows.map(({ record, digest }) => [record, digest]));
  return records.filter(
    ({ appended }, place) => appended.entries.length > 0 && digests.get(place) !== appended.digest,
  );
}

async function digestOfRange(database: Queryable, range: string): Promise<string | null> {
  const [, feed, owner, first, last] =
    /^(\d{1,9})\/(\d{1,9})\/(\d{1,15})-(\d{1,15})$/.exec(range) ?? [];
  const kind = kinds.find(({ number }) => number === Number(feed));
  if (kind === undefined) return null;
  const [row] = await database.query<{ digest: string }>(
    digestRange(kind, Number(owner), Number(first), Number(last)),
  );
  return row?.digest ?? null;
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

async function readingsChanged(
  database: Queryable,
  { chain, position, readings = [] }: ReadRecord,
): Promise<boolean> {
  const kept = await database.query(selectReadings(chain, position));
  const said = readings.map(({ organisation: _, ...reading }) => reading);
  return !isDeepStrictEqual(
    kept.map((row) => ({ ...row })),
    said,
  );
}
