// SQL that locks and reads the existing data of the registry.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import type { DeclarationMembers } from './read-incoming.js';
import { renderSignalHead } from './signal-head.js';

/**
 * Other registrations of these declarations wait until the commit. It is a separate statement, because the next one
 * must see what was committed before the lock was taken.
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

/** An existing ENS. */
export type ExistingDeclaration = {
  id: number;
  members: DeclarationMembers;
  /** The declarant and the representative, who receive the signals of its house consignments whoever presents them. */
  organisations: readonly number[];
};

export function selectDeclarations(mrns: readonly string[]): Statement<ExistingDeclaration> {
  return {
    name: 'select-declarations',
    text: `
      select e.id, array_remove(array[e.declarant, e.representative], null) as organisations,
        json_strip_nulls(json_build_object(
          'mrn', e.mrn,
          'customsOfficeOfFirstEntry', e.customs_office_of_first_entry,
          'declarant', (select identifier from organisation o where o.id = e.declarant),
          'representative', (select identifier from organisation o where o.id = e.representative),
          'carrier', (select identifier from organisation o where o.id = e.carrier),
          'presenters', (
            select json_agg(o.identifier order by number)
            from unnest(e.presenters) with ordinality as presenter (id, number) join organisation o using (id)
          ),
          'estimatedTimeOfArrival', api_time(e.estimated_time_of_arrival),
          'activeBorderTransportMeans', case when e.transport_means_number is not null then json_build_object(
            'identificationNumber', e.transport_means_number, 'typeOfIdentification', e.transport_means_type
          ) end
        )) as members
      from entry_summary_declaration e
      where e.mrn = any($1::text[])`,
    values: [mrns],
  };
}

export function selectOrganisationIds(identifiers: readonly string[]): Statement<{ id: number }> {
  return {
    name: 'select-organisation-ids',
    text: 'select id from organisation where identifier = any($1::text[])',
    values: [identifiers],
  };
}

/** An existing house consignment, compared with the incoming one at an index. */
export type ExistingHouse = {
  index: number;
  id: string;
  /** Its signal head if that differs, else `null`. */
  head: string | null;
  sameSubheadings: boolean;
  sameRouting: boolean;
  presented: boolean;
};

/** An incoming house consignment of an existing declaration. */
export type HouseToCompare = {
  declaration: ExistingDeclaration;
  house: PreNotifiedHouseConsignment;
};

/**
 * Finds the existing house consignments among these, and how they differ. They are compared as parts of the existing
 * declaration, so that a change of its members is not a change of each house consignment.
 */
export function compareHouses(houses: readonly HouseToCompare[]): Statement<ExistingHouse> {
  const incoming = houses.map(({ declaration, house }, index) => ({
    index,
    ens: declaration.id,
    number: house.transportDocumentHouseLevel.documentNumber,
    type: house.transportDocumentHouseLevel.type,
    head: renderSignalHead(declaration.members, house),
    subheadings: house.harmonizedSystemSubheadingCode,
    routing: house.routing,
    location: house.routingControlLocation,
  }));
  return {
    name: 'compare-houses',
    text: `
      select i.index, h.id, case when h.signal_head <> i.head then h.signal_head end as head,
        h.subheadings is not distinct from nullif(i.subheadings, '{}') as "sameSubheadings",
        h.registered_routing is not distinct from i.routing
          and h.registered_control_location is not distinct from i.location as "sameRouting",
        -- Not "exists", which the planner can turn into a join.
        (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
      from json_to_recordset($1::json)
        as i (index integer, ens integer, number text, type text, head text, subheadings text[], routing text,
          location text)
      cross join lateral (
        select * from house_consignment h
        where h.ens_id = i.ens and h.document_number = i.number and h.document_type = i.type
        limit 1
      ) h`,
    values: [JSON.stringify(incoming)],
  };
}

/** An existing house consignment that its incoming declaration does not list. */
export type UnlistedHouse = {
  declarationId: number;
  id: string;
  documentNumber: string;
  type: string;
  presented: boolean;
};

/** The house consignments of declarations, except the listed ones. */
export function selectUnlistedHouses(
  declarationIds: readonly number[],
  listed: readonly string[],
): Statement<UnlistedHouse> {
  return {
    name: 'select-unlisted-houses',
    // A sub-select is hashed; "<> all" would compare with each id.
    text: `
      select h.ens_id as "declarationId", h.id, h.document_number as "documentNumber",
        h.document_type as type,
        (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
      from house_consignment h
      where h.ens_id = any($1::integer[]) and h.id not in (select unnest($2::uuid[]))
      order by h.id`,
    values: [declarationIds, listed],
  };
}

/** Which of these declarations have a presented house consignment. */
export function selectPresentedDeclarations(
  declarationIds: readonly number[],
): Statement<{ id: number }> {
  return {
    name: 'select-presented-declarations',
    text: `
      select id from unnest($1::integer[]) e (id)
      where (
        select true from house_consignment h
        where h.ens_id = e.id
          and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null
        limit 1
      )`,
    values: [declarationIds],
  };
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** A page of the signal heads of an ENS, in the order of the ids of its house consignments. */
export function selectHeads(
  declarationId: number,
  after: string | undefined,
  limit: number,
): Statement<{ id: string; head: string }> {
  return {
    name: 'select-heads',
    text: `
      select id, signal_head as head from house_consignment
      where ens_id = $1 and id > $2 order by id limit $3`,
    values: [declarationId, after ?? LOWEST_ID, limit],
  };
}

/** Elements of a JSON array as text, and the id of the last; `null` if there are none. */
export type HousePage = { last: string | null; body: string | null };

/** A page of the house consignments of an ENS in the order of their ids, as elements of a JSON array. */
export function selectHousePage(
  declarationId: number,
  after: string | undefined,
  limit: number,
): Statement<HousePage> {
  return {
    name: 'select-house-page',
    text: `
      with page as materialized (
        select * from house_consignment where ens_id = $1 and id > $2 order by id limit $3
      )
      select (select id from page order by id desc limit 1) as last,
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
    values: [declarationId, after ?? LOWEST_ID, limit],
  };
}
