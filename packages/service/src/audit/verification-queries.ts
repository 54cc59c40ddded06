// SQL of the verification: the records of a chain in pages, and the rows of other tables that they refer to.
import type { Statement } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';

/** A stored record. */
export type RecordRow = {
  position: number;
  digest: Uint8Array;
  entry: string;
  recordedAt: Date;
};

/** The chains, and how many records each has if none is missing. */
export const selectChains: Statement = {
  name: 'select-audit-chains',
  text: `
    select chain, (select max(position) from audit_record r where r.chain = found.chain) as position
    from audit_chain found order by chain`,
  values: [],
};

export function selectRecords(chain: number, after: number, limit: number): Statement {
  return {
    name: 'select-audit-records',
    text: `
      select position, digest, entry, recorded_at as "recordedAt" from audit_record
      where chain = $1 and position > $2 order by position limit $3`,
    values: [chain, after, limit],
  };
}

/** The digests of records, in the order of the arguments; null for a missing record. */
export function selectDigests(chains: readonly number[], positions: readonly number[]): Statement {
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

/** The feed entries that records list: the index of the record, and kind, owner and position of the entry. */
export type ListedEntries = {
  records: number[];
  feeds: number[];
  owners: number[];
  positions: number[];
};

/** For each record, the digest of the entries that it lists, in the order of the list. */
export function digestListed(kinds: readonly FeedKind[], listed: ListedEntries): Statement {
  const cases = kinds.map(
    ({ number, table }) => `
          when ${number} then (
            select entry from ${table} e where e.owner = listed.owner and e.position = listed.position limit 1)`,
  );
  return {
    name: 'digest-listed-entries',
    text: `
      select record, encode(sha256(convert_to(coalesce(string_agg(entry, '' order by index), ''), 'UTF8')), 'hex')
        as digest
      from (
        select listed.*, case feed${cases.join('')}
        end as entry
        from unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[])
          with ordinality as listed (record, feed, owner, position, index)
      ) found
      group by record`,
    values: [listed.records, listed.feeds, listed.owners, listed.positions],
  };
}

/** The digest of the digests of the entries of a range. */
export function digestRange(
  { table }: FeedKind,
  owner: number,
  first: number,
  last: number,
): Statement {
  return {
    name: `digest-range-${table}`,
    text: `
      select encode(sha256(coalesce(
        string_agg(sha256(convert_to(entry, 'UTF8')), '' order by position), '')), 'hex') as digest
      from ${table} where owner = $1 and position between $2 and $3`,
    values: [owner, first, last],
  };
}

/** The records that list an entry which retention has removed. */
export function findRemoved({ records, feeds, owners, positions }: ListedEntries): Statement {
  return {
    name: 'find-removed-entries',
    text: `
      select distinct record
      from unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[]) as listed (record, feed, owner, position)
      where position <= (
        select start.position from feed_start start where start.kind = feed and start.owner = listed.owner)`,
    values: [records, feeds, owners, positions],
  };
}

/** Up to where retention has removed the entries of a feed. */
export type FeedStart = { feed: number; owner: number; position: number };

export const selectFeedStarts: Statement = {
  name: 'select-feed-starts',
  text: 'select kind as feed, owner, position from feed_start order by kind, owner',
  values: [],
};

/** How many events belong to a record, and their digest; null when there are none. */
export function selectEvents(chain: number, position: number): Statement {
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

/** Records the last verification of the audit trail. */
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
      set at = excluded.at, records = excluded.records, breaks = excluded.breaks, records_only = excluded.records_only`,
    values: [at, records, breaks, recordsOnly],
  };
}

export const selectVerification: Statement = {
  name: 'select-audit-verification',
  text: 'select at, records, breaks, records_only as "recordsOnly" from audit_verification',
  values: [],
};
