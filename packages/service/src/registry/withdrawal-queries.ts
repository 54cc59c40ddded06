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

/**
 * Withdraws the next house consignments of a declaration after one, in the order of their documents, except the listed
 * ones, with their containers. Their decisions and their history stay; a control that an officer or a system has decided is kept
 * for goods that are registered later and are the same. Without a beginning, each step would read the index
 * entries of all that the transaction has removed before.
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
      controlled as (
        insert into kept_control (document_key, document_type, relation, location, house_consignment_id, kept_at)
        select distinct on (1, 2, 3, 4) gone.document_key, gone.document_type, relation,
          coalesce(gone.routing_control_location, ''), gone.id, (select at from registration r where r.id = $3::bigint)
        from gone
        cross join lateral relations_of_goods(gone.ens_id, gone.master_document_key, gone.master_document_type,
          gone.receptacle_id)
        where gone.routing = 'TO_CONTROL' and is_by_officer_or_engine(gone.id)
        order by 1, 2, 3, 4, gone.id desc
        on conflict (document_key, document_type, relation, location)
          do update set house_consignment_id = excluded.house_consignment_id, kept_at = excluded.kept_at
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

/** Removes house consignments that are listed again from the withdrawn ones: they have their controls themselves. */
export function deleteWithdrawnHouses(ids: readonly string[]): Statement<{ id: string }> {
  return {
    name: 'delete-withdrawn-houses',
    text: `
      with controlled as (
        delete from kept_control where house_consignment_id = any($1::uuid[])
      )
      delete from withdrawn_house_consignment where id = any($1::uuid[]) returning id`,
    values: [ids],
  };
}
