// SQL of the audit trail: how a chain is taken, and how a record is appended to it. Other rooms append with the two
// fragments at the top, in the statement that does what is recorded.
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';

/** How many chains there are: more than writers that append at one moment, on all servers together. */
const CHAINS = 32;

/**
 * An expression that takes a chain until the end of the transaction and leaves word of it for `appendRecord`. It
 * begins to look at another place in each session, so the first try nearly always succeeds; when all chains are
 * held it waits for one.
 *
 * It must stand in a statement before the one that appends, which then sees what the holder before it has
 * committed, and must be the last lock that the transaction takes: who holds a chain waits for nothing more.
 */
export const takeChain = `
  set_config('landfall.audit_chain', coalesce(
    (select chain
      from (
        select (pg_backend_pid() + step) % ${CHAINS} + 1 as chain from generate_series(0, ${CHAINS - 1}) step
      ) wanted
      where pg_try_advisory_xact_lock(${AUDIT_LOCK}, chain) limit 1),
    (select chain from (select pg_backend_pid() % ${CHAINS} + 1 as chain offset 0) wanted
      where pg_advisory_xact_lock(${AUDIT_LOCK}, chain) is not null)
  )::text, true)`;

/**
 * A part of a statement (to stand after `with`, or after a comma) that appends a record to the chain that was taken.
 * It gives one row: `chain` and `position`. Where the query gives no row, nothing is appended.
 *
 * @param query gives one row with the column `entry`: the record's text
 */
export function appendRecord(query: string): string {
  return `
  chain_end as materialized (
    select chain, coalesce(position, 0) as position, coalesce(digest, '') as digest
    from (select current_setting('landfall.audit_chain')::integer as chain offset 0) taken
    left join lateral (
      select position, digest from audit_record
      where audit_record.chain = taken.chain order by position desc limit 1
    ) last on true
  ),
  recorded as (
    insert into audit_record (chain, position, digest, entry)
    select chain, position + 1, sha256(digest || convert_to(entry, 'UTF8')), entry
    from (select entry from (${query}) told offset 0) happened -- so that the text is put together once
    cross join chain_end
    returning chain, position
  )`;
}

/** The digest of an entry that a statement appends; for `returning`, so that the entries are not kept to the end. */
export const entryDigest = `sha256(convert_to(entry, 'UTF8')) as digest`;

/**
 * A query of one row with the column `appended`: JSON with the feed entries that a query gives, from where to where in
 * each feed, with a digest of the digests of the entries, so that they cannot be changed unnoticed either. Not of their
 * texts: all of them may not fit into memory.
 *
 * @param query gives `feed`, `owner`, `position`, and `digest` as `entryDigest` makes it
 */
export function summariseAppended(query: string): string {
  return `
  select coalesce('{"ranges":[' || string_agg('{"range":"' || feed || '/' || owner || '/' || first || '-' || last
    || '","digest":"' || encode(digest, 'hex') || '"}', ',') || ']}', '{}') as appended
  from (
    select feed, owner, min(position) as first, max(position) as last,
      sha256(string_agg(digest, '' order by position)) as digest
    from (${query}) entering group by feed, owner
  ) ranges`;
}

/** Takes a chain; the first of the two statements that record in an interactive transaction. */
export const lockAuditChain: Statement = {
  name: 'lock-audit-chain',
  text: `select ${takeChain}`,
  values: [],
};

/** Where a chain ends, and whether anything but seals was recorded there since it was looked at last. */
export type ChainEnd = { chain: number; position: number; digest: string; grown: boolean };

/** The action of the records that name where all chains end. */
export const CHECKPOINT = 'audit.sealed';

/** The chains that have records, each found from the one before it: a query of one column, `chain`. */
export const eachChain = `
  with recursive found as (
    select min(chain) as chain from audit_record
    union all
    select (select min(r.chain) from audit_record r where r.chain > found.chain) from found where chain is not null
  )
  select chain from found where chain is not null`;

/** @param known where chains ended when they were looked at last */
export function selectChainEnds(known: readonly Pick<ChainEnd, 'chain' | 'position'>[]): Statement {
  return {
    name: 'select-audit-chain-ends',
    text: `
      select end_of.*, (
        select true from audit_record r
        where r.chain = end_of.chain and r.position > coalesce(($2::bigint[])[array_position($1::integer[], end_of.chain)], 0)
          and substr(r.entry, 1, 100) !~ '^[{]"at":"[^"]*","action":"${CHECKPOINT}"'
        limit 1
      ) is not null as grown
      from (
        select chain, position, encode(digest, 'hex') as digest
        from (${eachChain}) chain
        cross join lateral (
          select position, digest from audit_record
          where audit_record.chain = chain.chain order by position desc limit 1
        ) last
      ) end_of
      order by chain`,
    values: [known.map(({ chain }) => chain), known.map(({ position }) => position)],
  };
}

/** What happened to one house consignment, as it is kept. */
export type EventRow = { houseConsignmentId: string; entry: string };

/** Appends one record, with the events of single house consignments that belong to it. */
export function insertRecord(entry: string, at: Date, events: readonly EventRow[]): Statement {
  return {
    name: 'insert-audit-record',
    text: `
      with ${appendRecord('select $1::text as entry')}
      insert into consignment_event (chain, position, place, house_consignment_id, at, entry)
      select chain, position, place, house, $2, event
      from recorded, unnest($3::uuid[], $4::text[]) with ordinality as event (house, event, place)`,
    values: [
      entry,
      at,
      events.map(({ houseConsignmentId }) => houseConsignmentId),
      events.map((event) => event.entry),
    ],
  };
}

/** A client that was given a page of a feed, or pages that follow each other. */
export type FeedAccessRow = {
  kind: number;
  owner: number;
  clientId: string;
  first: number;
  last: number;
  at: Date;
};

/** Appends one record with what was read, and a row for each access, so that it can be found by position. */
export function insertFeedAccesses(entry: string, accesses: readonly FeedAccessRow[]): Statement {
  return {
    name: 'insert-feed-accesses',
    text: `
      with ${appendRecord('select $1::text as entry')}
      insert into reading (chain, position, place, kind, owner, client_id, first_position, last_position, at)
      select chain, position, place, kind, owner, client_id, first, last, at
      from recorded, unnest($2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[])
        with ordinality as reading (kind, owner, client_id, first, last, at, place)`,
    values: [
      entry,
      accesses.map(({ kind }) => kind),
      accesses.map(({ owner }) => owner),
      accesses.map(({ clientId }) => clientId),
      accesses.map(({ first }) => first),
      accesses.map(({ last }) => last),
      accesses.map(({ at }) => at),
    ],
  };
}
