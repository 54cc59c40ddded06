// SQL of what stands in the registry: read and locked.
import type { Statement } from '../database/database.js';

export function selectKnownMrns(mrns: readonly string[]): Statement {
  return {
    name: 'select-known-mrns',
    text: 'select mrn from entry_summary_declaration where mrn = any($1::text[])',
    values: [mrns],
  };
}

/**
 * Keeps others who register from these declarations until the commit. It is a statement of its own because the next
 * one must see what those before it had committed.
 */
export function lockDeclarations(mrns: readonly string[]): Statement {
  return {
    name: 'lock-declarations',
    text: `
      select from entry_summary_declaration where mrn = any($1::text[])
      order by mrn for no key update`,
    values: [mrns],
  };
}

/** An ENS as it stands. */
export type DeclarationRow = {
  id: number;
  mrn: string;
  office: string;
  declarant: string;
  declarantId: number;
  representative: string | null;
  representativeId: number | null;
  carrier: string | null;
  presenters: string[] | null;
  arrival: Date | null;
  meansNumber: string | null;
  meansType: string | null;
};

export function selectDeclarations(mrns: readonly string[]): Statement {
  return {
    name: 'select-declarations',
    text: `
      select e.id, e.mrn, e.customs_office_of_first_entry as office, d.identifier as declarant,
        d.id as "declarantId", r.identifier as representative, r.id as "representativeId",
        (select identifier from organisation o where o.id = e.carrier) as carrier,
        (select array_agg(o.identifier order by place)
          from unnest(e.presenters) with ordinality as named (id, place) join organisation o using (id)) as presenters,
        e.estimated_time_of_arrival as arrival, e.transport_means_number as "meansNumber",
        e.transport_means_type as "meansType"
      from entry_summary_declaration e
      join organisation d on d.id = e.declarant
      left join organisation r on r.id = e.representative
      where e.mrn = any($1::text[])`,
    values: [mrns],
  };
}

export function selectOrganisationIds(identifiers: readonly string[]): Statement {
  return {
    name: 'select-organisation-ids',
    text: 'select id from organisation where identifier = any($1::text[])',
    values: [identifiers],
  };
}

/** A house consignment to be compared with the one that stands. */
export type ComparedHouse = {
  place: number;
  ens: number;
  number: string;
  type: string;
  head: string;
  subheadings: readonly string[] | undefined;
  routing: string | undefined;
  location: string | undefined;
};

/** One that stands, by the place that was given to the one that it was compared with. */
export type StandingHouseRow = {
  place: number;
  id: string;
  /** What is registered, when it is another. */
  head: string | null;
  sameSubheadings: boolean;
  sameRouting: boolean;
  presented: boolean;
};

/** Whether a house consignment (h) is presented: an expression, which no planner makes a join. */
const presented = `
  (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null`;

/** Finds the house consignments that stand already, and how they differ. */
export function compareHouses(houses: readonly ComparedHouse[]): Statement {
  return {
    name: 'compare-houses',
    text: `
      select i.place, h.id, case when h.signal_head <> i.head then h.signal_head end as head,
        h.subheadings is not distinct from i.subheadings as "sameSubheadings",
        h.registered_routing is not distinct from i.routing
          and h.registered_control_location is not distinct from i.location as "sameRouting",
        ${presented} as presented
      from json_to_recordset($1::json)
        as i (place integer, ens integer, number text, type text, head text, subheadings text[], routing text,
          location text)
      cross join lateral (
        select * from house_consignment h
        where h.ens_id = i.ens and h.document_number = i.number and h.document_type = i.type
        limit 1
      ) h`,
    values: [JSON.stringify(houses)],
  };
}

/** A house consignment that stands and was not told again. */
export type OtherHouseRow = {
  declarationId: number;
  id: string;
  documentNumber: string;
  type: string;
  presented: boolean;
};

/** The house consignments of declarations, except these. */
export function selectOtherHouses(
  declarationIds: readonly number[],
  ids: readonly string[],
): Statement {
  return {
    name: 'select-other-houses',
    // Not "<> all", which is compared one by one; a sub-select is hashed.
    text: `
      select h.ens_id as "declarationId", h.id, h.document_number as "documentNumber",
        h.document_type as type, ${presented} as presented
      from house_consignment h
      where h.ens_id = any($1::integer[]) and h.id not in (select unnest($2::uuid[]))
      order by h.id`,
    values: [declarationIds, ids],
  };
}

/** Which of these declarations have a house consignment that is presented. */
export function selectPresentedDeclarations(declarationIds: readonly number[]): Statement {
  return {
    name: 'select-presented-declarations',
    text: `
      select id from unnest($1::integer[]) asked (id)
      where (select true from house_consignment h where h.ens_id = asked.id and ${presented} limit 1)`,
    values: [declarationIds],
  };
}

/** A page of the heads of an ENS, by their ids. */
export function selectHeads(declarationId: number, after: string, limit: number): Statement {
  return {
    name: 'select-heads',
    text: `
      select id, signal_head as head from house_consignment
      where ens_id = $1 and id > $2 order by id limit $3`,
    values: [declarationId, after, limit],
  };
}

/** The house consignments of an ENS as they were registered, a page by their ids, as members of a JSON array. */
export function selectHousePage(declarationId: number, after: string, limit: number): Statement {
  return {
    name: 'select-house-page',
    text: `
      with page as materialized (
        select * from house_consignment where ens_id = $1 and id > $2 order by id limit $3
      )
      select count(*)::integer as houses, (select id from page order by id desc limit 1) as last,
        string_agg(json_strip_nulls(json_build_object(
          'transportDocumentHouseLevel',
            json_build_object('documentNumber', document_number, 'type', document_type),
          'transportDocumentMasterLevel', (signal_head || '}')::json -> 'transportDocumentMasterLevel',
          'receptacleId', receptacle_id,
          'containerId', (signal_head || '}')::json -> 'containerId',
          'harmonizedSystemSubheadingCode', subheadings,
          'routing', registered_routing,
          'routingControlLocation', registered_control_location
        ))::text, ',' order by id) as body
      from page`,
    values: [declarationId, after, limit],
  };
}
