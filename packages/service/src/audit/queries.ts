// SQL of the audit trail. Records are appended by the database's function append_audit_record, which statements of other
// modules call too.
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';

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
      with recorded as (
        select chain, position from append_audit_record(${AUDIT_LOCK}, $1)
      ),
      new_event as (
        insert into consignment_event (chain, position, place, house_consignment_id, at, entry)
        select chain, position, place, house, $2, event
        from recorded, unnest($3::uuid[], $4::text[]) with ordinality as event (house, event, place)
      )
      select chain, position from recorded`,
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
      with recorded as (
        select chain, position from append_audit_record(${AUDIT_LOCK}, $1)
      )
      insert into feed_access (chain, position, place, kind, owner, client_id, first_position, last_position, at)
      select chain, position, place, kind, owner, client_id, first, last, at
      from recorded, unnest($2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[])
        with ordinality as access (kind, owner, client_id, first, last, at, place)`,
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
