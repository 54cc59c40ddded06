// SQL of the audit trail. Records are appended by the database's function append_audit_record, which statements of other
// modules call too.
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';

/** Where a chain ends, and whether a record that is not a checkpoint was appended since its end was last read. */
export type ChainEnd = { chain: number; position: number; digest: string; grown: boolean };

/** The action of the records that state where all chains end. */
export const CHECKPOINT = 'audit.sealed';

/** The action of the records that say what retention has removed. */
export const REMOVAL = 'audit.removed';

/** The action of the record that says that the database was restored, and where each chain ended then. */
export const RESTORATION = 'database.restored';

/** @param known where chains ended when they were last read */
export function selectChainEnds(
  known: readonly Pick<ChainEnd, 'chain' | 'position'>[],
): Statement<ChainEnd> {
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
        select chain, position, encode(digest, 'hex') as digest from audit_chain_end where position > 0
      ) end_of
      order by chain`,
    values: [known.map(({ chain }) => chain), known.map(({ position }) => position)],
  };
}

/** What happened to one house consignment, as it is stored. */
export type EventRow = { houseConsignmentId: string; entry: string };

/**
 * Appends one record, with the events of single house consignments that belong to it.
 *
 * @param entry its text
 * @param usesDatabaseTime whether the text is without its time, which is then the database's
 */
export function insertRecord(
  entry: string,
  usesDatabaseTime: boolean,
  at: Date,
  events: readonly EventRow[],
): Statement {
  return {
    name: 'insert-audit-record',
    text: `
      with recorded as (
        select chain, position
        from append_audit_record(${AUDIT_LOCK},
          case when $5 then '{"at":"' || api_time(record_time(null)) || '",' || substr($1, 2) else $1 end)
      ),
      new_event as (
        insert into consignment_event (chain, position, index, house_consignment_id, at, entry)
        select chain, position, index, house, $2, event
        from recorded, unnest($3::uuid[], $4::text[]) with ordinality as event (house, event, index)
      )
      select chain, position from recorded`,
    values: [
      entry,
      at,
      events.map(({ houseConsignmentId }) => houseConsignmentId),
      events.map((event) => event.entry),
      usesDatabaseTime,
    ],
  };
}

/**
 * The expression that keeps the text of a record until `appendKeptRecord`, the next statement of the transaction, appends
 * it: a record has digests of the rows that were written before it, which a statement that writes rows itself does not know.
 *
 * @param record the SQL of its text
 */
export function keepRecord(record: string): string {
  return `set_config('landfall.record', ${record}, true)`;
}

/** Appends the record that the statement before it has kept, if it has kept one. */
export const appendKeptRecord: Statement = {
  name: 'append-kept-record',
  text: `
    select append_audit_record(${AUDIT_LOCK}, record)
    from nullif(current_setting('landfall.record', true), '') record where record is not null`,
  values: [],
};

/** A client that received a page of a feed, or consecutive pages. */
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
      insert into feed_access (chain, position, index, kind, owner, client_id, first_position, last_position, at)
      select chain, position, index, kind, owner, client_id, first, last, at
      from recorded, unnest($2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[])
        with ordinality as access (kind, owner, client_id, first, last, at, index)`,
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
