// SQL of the house consignments that enter a whole after it was presented.
import type { Statement } from '../database/database.js';
import { REFERENCE_LOCK } from '../database/locks.js';

/** Takes the locks of references until commit. */
export function lockReferences(references: readonly string[], isShared: boolean): Statement {
  return {
    name: 'lock-references',
    text: `select lock_references(${REFERENCE_LOCK}, $1::text[], $2::boolean)`,
    values: [references, isShared],
  };
}

/** The presentations of these references. */
export function selectPresented(references: readonly string[]): Statement<{ number: number }> {
  return {
    name: 'select-presented-references',
    text: `
      select p.number from unnest($1::text[]) identifier
      cross join lateral (
        select number from presented_reference p where p.reference = identifier offset 0) p`,
    values: [references],
  };
}

/** Removes the flags of house consignments. */
export function deleteEntered(houses: readonly string[]): Statement {
  return {
    name: 'delete-entered-houses',
    text: 'delete from entered_house_consignment where house_consignment_id = any ($1::uuid[])',
    values: [houses],
  };
}

/** Flags the house consignments that one of the presentations reaches and has not presented. */
export function insertEntered(
  houses: readonly string[],
  presentations: readonly number[],
): Statement {
  return {
    name: 'insert-entered-houses',
    text: `
      insert into entered_house_consignment (house_consignment_id, presentation)
      select h.id, p.number
      from (select * from presented_reference where number = any ($2::bigint[]) offset 0) p
      cross join (
        select house.*, e.mrn, e.kind, e.declarant, e.representative, e.carrier, e.presenters
        from unnest($1::uuid[]) written (id)
        cross join lateral (select * from house_consignment h where h.id = written.id limit 1) house
        cross join lateral (select * from declaration e where e.id = house.ens_id limit 1) e
        offset 0
      ) h
      where case p.level
          when 'ENTRY_SUMMARY_DECLARATION' then p.reference = h.mrn
          when 'MASTER_CONSIGNMENT' then p.reference = h.master_document_key
            and p.document_type = h.master_document_type
            and case
              when p.mrn is not null then p.mrn = h.mrn or h.kind = 'HOUSE' and is_under_master(h.ens_id, p.mrn)
              -- The document meant the ENS, if one has it.
              else h.kind is null or (
                select true from house_consignment o
                cross join lateral (select kind from declaration d where d.id = o.ens_id offset 0) d
                where o.master_document_key = p.reference and o.master_document_type = p.document_type and d.kind is null
                limit 1
              ) is null
            end
          when 'RECEPTACLE' then p.reference = h.receptacle_id
          when 'CONTAINER' then (
            select true from house_consignment_container c
            where c.house_consignment_id = h.id and c.container_id = p.reference limit 1)
        end
        and (not p.expected_only
          or may_present(p.presenter, h.declarant, h.representative, h.carrier, h.presenters))
        and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
      on conflict do nothing`,
    values: [houses, presentations],
  };
}

/**
 * Flags house consignments of a declaration anew for presenters whom it did not name before, or names no longer: what their
 * presentations reach now and have not presented.
 */
export function flagForPresenters(
  declaration: number,
  presenters: readonly number[],
): Statement<{ flagged: number }> {
  return {
    name: 'flag-for-presenters',
    text: `
      with presentation as materialized (
        select p.*, e.mrn as own_mrn,
          may_present(p.presenter, e.declarant, e.representative, e.carrier, e.presenters) as is_named
        from presented_reference p
        cross join lateral (select * from declaration where id = $1 limit 1) e
        where p.presenter = any ($2::integer[]) and p.expected_only
      ),
      gone as (
        delete from entered_house_consignment entered
        using presentation p
        where entered.presentation = p.number and not coalesce(p.is_named, false)
          and (select h.ens_id from house_consignment h where h.id = entered.house_consignment_id limit 1) = $1
      ),
      flagged as (
        insert into entered_house_consignment (house_consignment_id, presentation)
        select h.id, p.number
        from presentation p
        cross join lateral (
          select id from house_consignment
          where p.level = 'ENTRY_SUMMARY_DECLARATION' and p.reference = p.own_mrn and ens_id = $1
          union all
          select id from house_consignment
          where p.level = 'MASTER_CONSIGNMENT' and (p.mrn is null or p.mrn = p.own_mrn)
            and master_document_key = p.reference and ens_id = $1 and master_document_type = p.document_type
          union all
          select id from house_consignment
          where p.level = 'RECEPTACLE' and receptacle_id = p.reference and ens_id = $1
          union all
          select house_consignment_id from house_consignment_container
          where p.level = 'CONTAINER' and container_id = p.reference and ens_id = $1
        ) h
        where p.is_named
          and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
        on conflict do nothing
        returning house_consignment_id
      )
      select count(*)::integer as flagged from flagged`,
    values: [declaration, presenters],
  };
}
