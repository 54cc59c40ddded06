// SQL of withdrawn goods: which are not listed any more, withdrawing them, and finding them when they are listed again.
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { HouseToCompare } from './house-queries.js';

/** The existing house consignments that an incoming declaration does not list. */
export type UnlistedHouses = {
  declarationId: number;
  houses: number;
  presented: number;
  /** The documents of some that are presented. */
  examples: { documentNumber: string; type: string }[];
};

/**
 * Counts the house consignments of declarations, except the listed ones; declarations without any have no row.
 *
 * @param examples how many documents of presented ones are given for each declaration
 */
export function selectUnlistedHouses(
  declarationIds: readonly number[],
  listed: readonly string[],
  examples: number,
): Statement<UnlistedHouses> {
  return {
    name: 'select-unlisted-houses',
    // A sub-select is hashed; "<> all" would compare with each id.
    text: `
      with unlisted as materialized (
        select h.ens_id, h.document_number, h.document_type,
          (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
        from house_consignment h
        where h.ens_id = any($1::integer[]) and h.id not in (select unnest($2::uuid[]))
      )
      select ens_id as "declarationId", count(*)::integer as houses,
        (count(*) filter (where presented))::integer as presented, (
          select coalesce(json_agg(json_build_object('documentNumber', document_number, 'type', document_type)), '[]')
          from (
            select document_number, document_type from unlisted u
            where u.ens_id = unlisted.ens_id and u.presented
            order by document_number, document_type limit $3
          ) example
        ) as examples
      from unlisted group by ens_id`,
    values: [declarationIds, listed, examples],
  };
}

/** The columns that a house consignment keeps when it is withdrawn. */
const KEPT = `id, ens_id, document_number, document_type, master_document_number, master_document_type, receptacle_id,
          signal_head, routing, routing_control_location, registration, registered_routing,
          registered_control_location, subheadings, document_key, master_document_key`;

/** A house consignment that was withdrawn. */
export type WithdrawnRow = { id: string; documentNumber: string; type: string };

/** Goods that are withdrawn, or have something else in common with others than before. */
export type LeavingGoods = {
  /** Declarations whose house consignments are withdrawn, except the listed ones. */
  withdrawnFrom: readonly number[];
  /** Declarations whose goods have come and are closed: what is held back is not what goes to a control at its destination. */
  closed?: readonly number[];
  listed: readonly string[];
  /** House consignments whose documents change. */
  changed: readonly string[];
  /** Declarations whose parties change. */
  partiesOf: readonly number[];
};

/**
 * Keeps the controls that an officer or a system has decided on goods which are withdrawn, replaced or closed, for goods that are registered
 * later and are the same. Call it before they are. All of them are written in the order of their keys, so that two transactions
 * never wait for each other.
 */
export function keepControls(
  { withdrawnFrom, closed = [], listed, changed, partiesOf }: LeavingGoods,
  at: Date,
): Statement {
  return {
    name: 'keep-controls',
    text: `
      with gone as materialized (
        select h.*, kept_as(id, routing, routing_control_location) as slot from house_consignment h
        where routing in ('TO_CONTROL', 'ENTRY_DENIED')
          and (ens_id = any ($1::integer[]) and id not in (select unnest($2::uuid[]))
            or ens_id = any ($6::integer[]) and routing_control_location is distinct from 'AFTER_ENTRY')
      ),
      -- What they had in common before they were replaced was kept as of current goods.
      earlier as materialized (
        select k.*, gone.slot from gone
        join kept_control k on k.house_consignment_id = gone.id and k.location = gone.id::text
        where gone.slot is not null
      ),
      moved as (
        delete from kept_control k using earlier
        where (k.document_key, k.document_type, k.relation, k.location)
          = (earlier.document_key, earlier.document_type, earlier.relation, earlier.location)
      ),
      leaving as (
        select h.document_key, h.document_type, relation, h.slot, h.id
        from gone h
        cross join lateral relations_to_keep(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id)
        union all
        select document_key, document_type, relation, slot, house_consignment_id from earlier
        union all
        select h.document_key, h.document_type, relation, h.id::text, h.id
        from unnest($3::uuid[]) changed (id)
        cross join lateral (select * from house_consignment where id = changed.id offset 0) h
        cross join lateral relations_to_keep(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id)
        where kept_as(h.id, h.routing, h.routing_control_location) is not null
        union all
        select h.document_key, h.document_type, relation, h.id::text, h.id
        from house_consignment h
        cross join lateral relations_to_keep(h.ens_id, null, null, null)
        where h.ens_id = any ($4::integer[]) and h.routing in ('TO_CONTROL', 'ENTRY_DENIED')
          and kept_as(h.id, h.routing, h.routing_control_location) is not null
      )
      insert into kept_control (document_key, document_type, relation, location, house_consignment_id, kept_at)
      select distinct on (1, 2, 3, 4) document_key, document_type, relation, slot, id, $5 from leaving
      where document_key is not null and slot is not null
      order by 1, 2, 3, 4, controlled_since(id) desc
      -- Of two of one key, the one that was decided later is replaced by fewer decisions on other goods.
      on conflict (document_key, document_type, relation, location) do update set kept_at = excluded.kept_at,
        house_consignment_id = case
          when controlled_since(kept_control.house_consignment_id) > controlled_since(excluded.house_consignment_id)
            then kept_control.house_consignment_id
          else excluded.house_consignment_id
        end`,
    values: [withdrawnFrom, listed, changed, partiesOf, at, closed],
  };
}

/**
 * Withdraws the next house consignments of a declaration after one, in the order of their documents, except the listed
 * ones, with their containers. Their decisions and their history stay; their controls were kept before. Without a beginning, each
 * step would read the index entries of all that the transaction has removed before.
 */
export function withdrawHouses(
  declaration: number,
  listed: readonly string[],
  registration: number,
  limit: number,
  after: Pick<WithdrawnRow, 'documentNumber' | 'type'> | undefined,
): Statement<WithdrawnRow> {
  return {
    name: 'withdraw-houses',
    text: `
      with next as materialized (
        select id from house_consignment
        where ens_id = $1 and (document_number, document_type) > ($5, $6) and id not in (select unnest($2::uuid[]))
        order by document_number, document_type limit $4
      ),
      entered as (
        delete from entered_house_consignment where house_consignment_id = any (array(select id from next))
      ),
      gone as (
        delete from house_consignment where id = any (array(select id from next))
        returning ${KEPT}, only_spelling
      ),
      -- What is left of goods that shared a key is found by every spelling again.
      alone as (
        update house_consignment h set only_spelling = null from gone
        where gone.only_spelling is not null and h.document_key = gone.document_key
          and h.document_type = gone.document_type and h.ens_id = $1 and h.id <> all (array(select id from next))
          and (
            select true from house_consignment o
            where o.document_key = h.document_key and o.document_type = h.document_type and o.ens_id = $1 and o.id <> h.id
              and o.id <> all (array(select id from next)) limit 1
          ) is null
      ),
      kept as (
        insert into withdrawn_house_consignment (${KEPT}, withdrawal)
        select ${KEPT}, $3::bigint from gone
        returning id, document_number, document_type
      )
      select id, document_number as "documentNumber", document_type as type
      from kept order by document_number, document_type`,
    values: [
      declaration,
      listed,
      registration,
      limit,
      after?.documentNumber ?? '',
      after?.type ?? '',
    ],
  };
}

export function withdrawDeclarations(ids: readonly number[], registration: number): Statement {
  return {
    name: 'withdraw-declarations',
    text: 'update declaration set version = $2, withdrawal = $2 where id = any ($1::integer[])',
    values: [ids, registration],
  };
}

/** A withdrawn house consignment, as it was. */
export type WithdrawnHouse = {
  /** The index of the incoming one. */
  index: number;
  id: string;
  registration: number | null;
};

/**
 * Finds those of incoming house consignments that were withdrawn from their declarations: with their spelling, or else the
 * last one.
 */
export function selectWithdrawnHouses(
  houses: readonly HouseToCompare[],
): Statement<WithdrawnHouse> {
  const given = new Parameters();
  return {
    name: 'select-withdrawn-houses',
    text: `
      select (i.number - 1)::integer as index, w.id, w.registration
      from ${given.rows('i', houses, {
        ens: ['integer', ({ declaration }) => declaration.id],
        document_number: ['text', ({ house }) => house.transportDocumentHouseLevel.documentNumber],
        document_type: ['text', ({ house }) => house.transportDocumentHouseLevel.type],
      })}
      cross join lateral (
        select * from withdrawn_house_consignment w
        where w.document_key = identifier_key(i.document_number) and w.document_type = i.document_type
          -- By the index on keys: without statistics, the planner might read the whole declaration for each.
          and w.ens_id + 0 = i.ens
        order by w.document_number <> i.document_number, w.withdrawal desc limit 1
      ) w`,
    values: given.values,
  };
}

/** Removes house consignments that are listed again from the withdrawn ones. What they had in common with others stays kept. */
export function deleteWithdrawnHouses(ids: readonly string[]): Statement<{ id: string }> {
  return {
    name: 'delete-withdrawn-houses',
    text: 'delete from withdrawn_house_consignment where id = any($1::uuid[]) returning id',
    values: [ids],
  };
}

/**
 * Gives the house consignments of a declaration for which a control was kept by one of its parties, unless they are presented
 * and released.
 */
export function selectKeptForParties(
  declaration: number,
  expectedOnly: boolean,
): Statement<{ id: string }> {
  return {
    name: 'select-kept-for-parties',
    text: `
      select distinct h.id
      from relations_to_find($1::integer, null, null, null, $2) r
      cross join lateral (select * from kept_control k where k.relation = r.relation offset 0) k
      cross join lateral (
        select * from house_consignment h
        where h.document_key = k.document_key and h.document_type = k.document_type and h.ens_id = $1::integer offset 0
      ) h
      where h.routing is distinct from 'TO_ENTRY'
        or (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
      order by h.id`,
    values: [declaration, expectedOnly],
  };
}
