// Parses the text of a record for verification. Whoever can write to the database can store any text with a matching
// digest, so every member is checked.
import { isObject } from '@landfall/contract';
import { EXPIRY } from './audit-trail.js';
import { CHECKPOINT, REMOVAL, RESTORATION } from './queries.js';

/** The end of a chain as a checkpoint states it: `digest` in hexadecimal. */
export type NamedEnd = { chain: number; position: number; digest: string };

/** A record or content where the trail is broken. */
export type AuditBreak = {
  chain: number;
  position: number;
  /** What is wrong, for programs. */
  code:
    | 'RECORD_MISSING'
    | 'RECORD_UNKNOWN'
    | 'DIGEST_MISMATCH'
    | 'MALFORMED'
    | 'SEAL_MISMATCH'
    | 'CONTENT_CHANGED'
    | 'ROW_CHANGED'
    | 'ROW_UNKNOWN'
    | 'REMOVAL_UNKNOWN';
  /** What is wrong, in words. */
  problem: string;
};

/** Entries of one feed, from position `first` to `last`. */
export type EntryRange = { feed: number; owner: number; first: number; last: number };

/** The feed entries that one call of `append_to_feeds` appended, in the order of their digest. */
export type Appended = { ranges: readonly EntryRange[]; digest: unknown };

/** What a record says of audited_row_base; the record with the highest number is the last. */
export type RowBase = { number: number; digest: string };

/** Rows that somebody has taken as they are, although the trail did not have them so. */
export type AcceptedRows = {
  /** Of the record. */
  at: string;
  /** The user of the database. */
  user: string;
  /** How many rows of each table. */
  tables: Record<string, number>;
};

/** The database was restored to an earlier time: when that was recorded, and where the chains ended then. */
export type Restoration = { at: string; ends: readonly NamedEnd[] };

/** The parts of a record that refer to other records and tables; an absent part is `undefined` or empty. */
export type ReadRecord = {
  chain: number;
  position: number;
  /** Only of a checkpoint, and of a restoration. */
  ends: readonly NamedEnd[];
  appended: readonly Appended[];
  events: unknown;
  eventsDigest: unknown;
  feedAccesses: readonly Record<string, unknown>[] | undefined;
  /** Only of a record that says what retention has removed. */
  removal: unknown;
  /** Only of a record that says which entries of feeds retention has removed. */
  expired: readonly EntryRange[];
  rowBase: RowBase | undefined;
  accepted: AcceptedRows | undefined;
  restoration: Restoration | undefined;
};

/** Parses a record's text; `undefined` when Landfall does not write such a text. */
export function readRecord(chain: number, position: number, entry: string): ReadRecord | undefined {
  const record = parseObject(entry);
  if (record === undefined || !isObject(record.details)) return undefined;
  const { ends, appended, events, eventsDigest, feedAccesses, removed, rowBase, accepted } =
    record.details;
  const hasEnds = record.action === CHECKPOINT || record.action === RESTORATION;
  if (hasEnds && !(Array.isArray(ends) && ends.every(isEnd))) return undefined;
  // The cast is true because each was checked above.
  const stated = hasEnds ? (ends as NamedEnd[]) : [];
  if (feedAccesses !== undefined && !isObjects(feedAccesses)) return undefined;
  return {
    chain,
    position,
    ends: stated,
    appended: (isObjects(appended) ? appended : []).map(readAppended),
    events,
    eventsDigest,
    feedAccesses,
    removal: record.action === REMOVAL ? record.details : undefined,
    expired:
      record.action === EXPIRY && Array.isArray(removed)
        ? removed.map((range) => readRange(String(range)))
        : [],
    rowBase: isObject(rowBase)
      ? { number: Number(rowBase.number), digest: String(rowBase.digest) }
      : undefined,
    accepted: isObject(accepted) ? readAccepted(record.at, accepted) : undefined,
    restoration:
      record.action === RESTORATION ? { at: String(record.at), ends: stated } : undefined,
  };
}

function readAccepted(at: unknown, { user, tables }: Record<string, unknown>): AcceptedRows {
  const rows = Object.entries(isObject(tables) ? tables : {});
  return {
    at: String(at),
    user: String(user),
    tables: Object.fromEntries(rows.map(([table, count]) => [table, Number(count)])),
  };
}

/** Text that is no range stands for an entry that is missing. */
function readAppended({ entries, digest }: Record<string, unknown>): Appended {
  return { ranges: String(entries).split(' ').map(readRange), digest };
}

/** Reads a range of entries: `feed/owner/first-last`. */
function readRange(text: string): EntryRange {
  const [, feed = 0, owner = 0, first = 0, last = 0] =
    /^(\d{1,9})\/(\d{1,9})\/(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return { feed: Number(feed), owner: Number(owner), first: Number(first), last: Number(last) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isEnd(value: unknown): value is NamedEnd {
  return (
    isObject(value) &&
    Number.isSafeInteger(value.chain) &&
    Math.abs(Number(value.chain)) < 2 ** 31 &&
    Number.isSafeInteger(value.position) &&
    typeof value.digest === 'string'
  );
}

function isObjects(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every(isObject);
}
