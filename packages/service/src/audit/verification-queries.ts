// SQL of the verification: the records of a chain in pages, and the rows of other tables that they refer to.

import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { FeedKind } from '../feed/feed.js';
import type { EntryRange, NamedEnd } from './read-record.js';

/** A stored record. */
export type RecordRow = {
  position: number;
  digest: Uint8Array;
  entry: string;
  recordedAt: Date;
};

/** The chains, and how many records each has if none is missing. */
export const selectChains: Statement<{ chain: number; position: number }> = {
  name: 'select-audit-chains',
  text: `
    select chain, (select max(position) from audit_record r where r.chain = found.chain) as position
    from audit_chain found order by chain`,
  values: [],
};

/** Characters of the records of a page, except the last: a record of a large presentation has megabytes. */
const MAX_PAGE_LENGTH = 4_000_000;

export function selectRecords(chain: number, after: number, limit: number): Statement<RecordRow> {
  return {
    name: 'select-audit-records',
    text: `
      select position, digest, entry, recorded_at as "recordedAt"
      from (
        select *, sum(octet_length(entry)) over (order by position) - octet_length(entry) as before
        from (select * from audit_record where chain = $1 and position > $2 order by position limit $3) page
      ) page
      where before < ${MAX_PAGE_LENGTH} order by position`,
    values: [chain, after, limit],
  };
}

/** The digests of records, in the order of the arguments; null for a missing record. */
export function selectDigests(
  chains: readonly number[],
  positions: readonly number[],
): Statement<{ digest: string | null }> {
  return {
    name: 'select-audit-digests',
    text: `
      select (select encode(digest, 'hex') from audit_record r
        where r.chain = requested.chain and r.position = requested.position limit 1) as digest
      from unnest($1::integer[], $2::bigint[]) with ordinality as requested (chain, position, index)
      order by index`,
    values: [chains, positions],
  };
}

/** Entries that records list, with the number of the list that they are in. */
export type ListedRange = EntryRange & { list: number };

function listedRanges(given: Parameters, ranges: readonly ListedRange[]): string {
  return given.rows('listed', ranges, {
    list: ['integer', ({ list }) => list],
    feed: ['integer', ({ feed }) => feed],
    owner: ['integer', ({ owner }) => owner],
    first: ['bigint', ({ first }) => first],
    last: ['bigint', ({ last }) => last],
  });
}

/** The digest of the entries of each list that has any, as `append_to_feeds` makes it. */
export function digestListed(
  kinds: readonly FeedKind[],
  ranges: readonly ListedRange[],
): Statement<{ list: number; digest: string }> {
  const given = new Parameters();
  return {
    name: 'digest-listed-entries',
    text: `
      select list, encode(sha256(convert_to(string_agg(entry, '' order by number, position), 'UTF8')), 'hex') as digest
      from ${listedRanges(given, ranges)}
      cross join lateral (${kinds
        .filter(({ audited }) => audited)
        .map(
          ({ number, table }) => `
        select position, entry from ${table} e
        where listed.feed = ${number} and e.owner = listed.owner and e.position between listed.first and listed.last`,
        )
        .join(`
        union all`)}
      ) entry
      group by list`,
    values: given.values,
  };
}

/** The lists that have an entry which retention has removed. */
export function findRemoved(ranges: readonly ListedRange[]): Statement<{ list: number }> {
  const given = new Parameters();
  return {
    name: 'find-removed-entries',
    text: `
      select distinct list from ${listedRanges(given, ranges)}
      join feed_state s on s.kind = listed.feed and s.owner = listed.owner and s.removed_position >= listed.first`,
    values: given.values,
  };
}

/** Up to where retention has removed the entries of a feed. */
export type FeedStart = { feed: number; owner: number; position: number };

export const selectFeedStarts: Statement<FeedStart> = {
  name: 'select-feed-starts',
  text: `
    select kind as feed, owner, removed_position as position from feed_state
    where removed_position > 0 order by kind, owner`,
  values: [],
};

/** Where each chain ends, and so where its next record begins. */
export const selectStoredEnds: Statement<NamedEnd> = {
  name: 'select-stored-chain-ends',
  text: `
    select chain, position, encode(digest, 'hex') as digest from audit_chain_end where position > 0 order by chain`,
  values: [],
};

/** How many events belong to a record, and their digest; null when there are none. */
export function selectEvents(
  chain: number,
  position: number,
): Statement<{ count: number; digest: string }> {
  return {
    name: 'select-consignment-events',
    text: `
      select count(*) as count,
        encode(sha256(convert_to(coalesce(
          string_agg(house_consignment_id || ' ' || entry || E'\\n', '' order by index), ''), 'UTF8')), 'hex') as digest
      from consignment_event where chain = $1 and position = $2`,
    values: [chain, position],
  };
}

/** The feed accesses that belong to a record. */
export function selectFeedAccesses(chain: number, position: number): Statement {
  return {
    name: 'select-feed-accesses',
    text: `
      select kind as feed, owner, client_id as client, first_position as first, last_position as last,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from feed_access where chain = $1 and position = $2 order by index`,
    values: [chain, position],
  };
}

/** The last verification of the audit trail, as it was recorded. */
export type VerificationRow = { at: Date; records: number; breaks: number; recordsOnly: boolean };

/**
 * Records the last verification of the audit trail. One of records only replaces a whole one only if it has found the first
 * breaks: what it has not looked at stays as it was found.
 */
export function recordVerification({
  at,
  records,
  breaks,
  recordsOnly,
}: VerificationRow): Statement {
  return {
    name: 'record-audit-verification',
    text: `
      insert into audit_verification (at, records, breaks, records_only) values ($1, $2, $3, $4)
      on conflict (single) do update
      set at = excluded.at, records = excluded.records, breaks = excluded.breaks, records_only = excluded.records_only
      where not excluded.records_only or audit_verification.records_only
        or audit_verification.breaks = 0 and excluded.breaks > 0`,
    values: [at, records, breaks, recordsOnly],
  };
}

/** When the first record was made that the trail has, or that retention has removed; null if there is none. */
export const selectTrailBegin: Statement<{ since: Date | null }> = {
  name: 'select-audit-begin',
  text: `
    select least(min(first.recorded_at), (select until from audit_removal where kind = 'records')) as since
    from audit_chain_end e
    cross join lateral (
      select r.recorded_at from audit_record r where r.chain = e.chain order by r.position limit 1
    ) first`,
  values: [],
};

export const selectVerification: Statement<VerificationRow> = {
  name: 'select-audit-verification',
  text: 'select at, records, breaks, records_only as "recordsOnly" from audit_verification',
  values: [],
};
