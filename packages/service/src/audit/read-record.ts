// Parses the text of a record for verification. Whoever can write to the database can store any text with a matching
// digest, so every member is checked.
import { isObject } from '@landfall/contract';
import { EXPIRY } from './audit-trail.js';
import { CHECKPOINT, REMOVAL } from './queries.js';

/** The end of a chain as a checkpoint states it: `digest` in hexadecimal. */
export type NamedEnd = { chain: number; position: number; digest: string };

/** A record or content where the trail is broken. */
export type AuditBreak = {
  chain: number;
  position: number;
  /** What is wrong, for programs. */
  code:
    | 'RECORD_MISSING'
    | 'DIGEST_MISMATCH'
    | 'MALFORMED'
    | 'SEAL_MISMATCH'
    | 'CONTENT_CHANGED'
    | 'REMOVAL_UNKNOWN';
  /** What is wrong, in words. */
  problem: string;
};

/** The feed entries that a statement appended, as its record lists or summarises them. */
export type Appended = {
  /** `feed/owner/position`, in the order of the digest. */
  entries: readonly string[];
  digest: unknown;
  ranges: readonly { range: string; digest: unknown }[];
};

/** The parts of a record that refer to other records and tables; an absent part is `undefined` or empty. */
export type ReadRecord = {
  chain: number;
  position: number;
  /** Only of a checkpoint. */
  ends: readonly NamedEnd[];
  appended: Appended;
  events: unknown;
  eventsDigest: unknown;
  feedAccesses: readonly Record<string, unknown>[] | undefined;
  /** Only of a record that says what retention has removed. */
  removal: unknown;
  /** Only of a record that says which entries of feeds retention has removed: `feed/owner/first-last`. */
  expired: readonly string[];
};

/** Parses a record's text; `undefined` when Landfall does not write such a text. */
export function readRecord(chain: number, position: number, entry: string): ReadRecord | undefined {
  const record = parseObject(entry);
  if (record === undefined || !isObject(record.details)) return undefined;
  const { ends, appended, events, eventsDigest, feedAccesses, removed } = record.details;
  if (record.action === CHECKPOINT && !(Array.isArray(ends) && ends.every(isEnd))) return undefined;
  if (feedAccesses !== undefined && !isObjects(feedAccesses)) return undefined;
  return {
    chain,
    position,
    // The cast is true because each was checked above.
    ends: record.action === CHECKPOINT ? (ends as NamedEnd[]) : [],
    appended: readAppended(isObject(appended) ? appended : {}),
    events,
    eventsDigest,
    feedAccesses,
    removal: record.action === REMOVAL ? record.details : undefined,
    expired: record.action === EXPIRY && Array.isArray(removed) ? removed.map(String) : [],
  };
}

function readAppended({ entries, digest, ranges }: Record<string, unknown>): Appended {
  return {
    entries: typeof entries === 'string' ? entries.split(' ') : [],
    digest,
    ranges: (isObjects(ranges) ? ranges : []).map((one) => ({
      range: String(one.range),
      digest: one.digest,
    })),
  };
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
