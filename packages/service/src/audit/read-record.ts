// A record read back, as far as other records and tables can be held against it. Whoever can write to the database can
// put any text there with a right digest, so nothing is taken for granted.
import { isObject } from '@landfall/contract';
import type { NamedEnd } from './audit-break.js';
import { SEAL } from './queries.js';

/** What a statement has appended to feeds: see `listAppended` and `summariseAppended`. */
export type Appended = {
  /** `feed/owner/position`, in the order of the digest. */
  entries: readonly string[];
  digest: unknown;
  ranges: readonly { range: string; digest: unknown }[];
};

/** What a record says of others; what it does not say is `undefined` or empty. */
export type ReadRecord = {
  chain: number;
  position: number;
  /** Only of a seal. */
  ends: readonly NamedEnd[];
  appended: Appended;
  events: unknown;
  eventsDigest: unknown;
  readings: readonly Record<string, unknown>[] | undefined;
};

/** Reads a record's text; `undefined` when it is none that Landfall writes. */
export function readRecord(chain: number, position: number, entry: string): ReadRecord | undefined {
  const record = parseObject(entry);
  if (record === undefined || !isObject(record.details)) return undefined;
  const { ends, appended, events, eventsDigest, readings } = record.details;
  if (record.action === SEAL && !(Array.isArray(ends) && ends.every(isEnd))) return undefined;
  if (readings !== undefined && !isObjects(readings)) return undefined;
  return {
    chain,
    position,
    // The cast is true because each was looked at above.
    ends: record.action === SEAL ? (ends as NamedEnd[]) : [],
    appended: readAppended(isObject(appended) ? appended : {}),
    events,
    eventsDigest,
    readings,
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

function isEnd(value: unknown): value is NamedEnd {
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
