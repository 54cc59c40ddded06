// SQL that locks and reads the existing data of the registry.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { DeclarationMembers } from './read-incoming.js';
import { renderSignalHead } from './signal-head.js';

/**
 * Locks existing declarations until the commit, as far as they are free; returns those that are not. They are read by
 * further statements, which see what was committed before the locks were taken.
 */
export function lockDeclarations(mrns: readonly string[]): Statement<{ held: string }> {
  return {
    name: 'lock-declarations',
    text: `
      with free as materialized (
        select mrn from entry_summary_declaration where mrn = any($1::text[])
        order by mrn for no key update skip locked
      )
      select mrn as held from entry_summary_declaration
      where mrn = any($1::text[]) and mrn not in (select mrn from free)
      order by mrn`,
    values: [mrns],
  };
}

/** Locks a declaration; waits until it is free, in the order of those who wait. */
export function lockInTurn(mrn: string): Statement {
  return {
    name: 'lock-declaration-in-turn',
    text: 'select from entry_summary_declaration where mrn = $1 for no key update',
    values: [mrn],
  };
}

/**
 * Which of these declarations nobody seems to have locked. Reads only: locking a row writes. A row has the transaction
 * that has locked it, which holds the lock of its own number as long as it runs.
 */
export function selectFreeDeclarations(mrns: readonly string[]): Statement<{ key: string }> {
  return {
    name: 'select-free-declarations',
    text: `
      with running as materialized (
        select transactionid as id from pg_locks where locktype = 'transactionid' and granted
      )
      select mrn as key from unnest($1::text[]) as awaited (mrn)
      where (
        select true from entry_summary_declaration e join running on running.id = e.xmax
        where e.mrn = awaited.mrn limit 1
      ) is null`,
    values: [mrns],
  };
}

/** An existing ENS. */
export type ExistingDeclaration = {
  id: number;
  /** Another one after each change of the declaration or its house consignments; 0 if it was last changed long ago. */
  version: number;
  members: DeclarationMembers;
  /** The declarant and the representative, who receive the signals of its house consignments whoever presents them. */
  organisations: readonly number[];
  /** Whether it was withdrawn. Sent again, it is the same declaration. */
  withdrawn: boolean;
};

export function selectDeclarations(mrns: readonly string[]): Statement<ExistingDeclaration> {
  return {
    name: 'select-declarations',
    text: `
      select e.id, coalesce(e.version, 0) as version, array_remove(array[e.declarant, e.representative], null) as organisations,
        e.withdrawal is not null as withdrawn,
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

export function selectOrganisationIds(
  identifiers: readonly string[],
): Statement<{ id: number; identifier: string }> {
  return {
    name: 'select-organisation-ids',
    text: 'select id, identifier from organisation where identifier = any($1::text[])',
    values: [identifiers],
  };
}

/** An existing house consignment, compared with the incoming one at an index. */
export type ExistingHouse = {
  index: number;
  id: string;
  /**
   * The text of its document if other goods of the declaration have the same key, and none has the incoming text: then the
   * incoming one is not this one, and cannot be added either.
   */
  otherSpelling: string | null;
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
 * Finds the existing house consignments among these by the keys of their documents, and how they differ. They are compared as parts of the existing
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
      select i.index, h.id, case when h.only_spelling <> i.number then h.document_number end as "otherSpelling",
        case when h.signal_head <> i.head then h.signal_head end as head,
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
        where h.ens_id = i.ens and h.document_key = identifier_key(i.number) and h.document_type = i.type
        order by h.only_spelling <> i.number limit 1
      ) h`,
    values: [JSON.stringify(incoming)],
  };
}

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
export function selectHousesOfDeclaration(
  declarationId: number,
  after: string | undefined,
  limit: number,
): Statement<HouseOfDeclaration> {
  return {
    name: 'select-houses-of-declaration',
    text: `
      select id, signal_head as head, registered_house(document_number, document_type, signal_head, receptacle_id,
        subheadings, registered_routing, registered_control_location) as registered
      from house_consignment
      where ens_id = $1 and id > $2 order by id limit $3`,
    values: [declarationId, after ?? LOWEST_ID, limit],
  };
}

/**
 * Elements of a JSON array as text, and the id of the last; `null` if there are none. `version` is that of their
 * declaration in the same snapshot; `null` if it does not exist.
 */
export type HousePage = { version: number | null; last: string | null; body: string | null };

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
      select (select coalesce(version, 0) from entry_summary_declaration where id = $1) as version,
        (select id from page order by id desc limit 1) as last,
        string_agg(registered_house(document_number, document_type, signal_head, receptacle_id, subheadings,
          registered_routing, registered_control_location)::text, ',' order by id) as body
      from page`,
    values: [declarationId, after ?? LOWEST_ID, limit],
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
        where w.ens_id = i.ens and w.document_key = identifier_key(i.document_number)
          and w.document_type = i.document_type
        order by w.document_number <> i.document_number, w.withdrawal desc limit 1
      ) w`,
    values: given.values,
  };
}

/** What was registered of a house consignment: JSON text, as `getEntrySummaryDeclaration` has it. */
export type RegisteredHouse = { id: string; registered: PreNotifiedHouseConsignment };

/** What was registered of house consignments, also of withdrawn ones. */
export function selectRegisteredHouses(ids: readonly string[]): Statement<RegisteredHouse> {
  return {
    name: 'select-registered-houses',
    text: `
      select id, registered_house(document_number, document_type, signal_head, receptacle_id, subheadings,
        registered_routing, registered_control_location) as registered
      from (
        select id, document_number, document_type, signal_head, receptacle_id, subheadings, registered_routing,
          registered_control_location
        from house_consignment where id = any ($1::uuid[])
        union all
        select id, document_number, document_type, signal_head, receptacle_id, subheadings, registered_routing,
          registered_control_location
        from withdrawn_house_consignment where id = any ($1::uuid[])
      ) house`,
    values: [ids],
  };
}

/** A house consignment of a declaration, with the facts of it that a profile depends on. */
export type HouseOfDeclaration = {
  id: string;
  head: string;
  registered: PreNotifiedHouseConsignment;
};
