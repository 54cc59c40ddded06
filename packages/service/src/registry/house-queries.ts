// SQL of the house consignments of incoming declarations: comparing them with the existing ones, and writing what changes.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { Route } from '../routing/decision-rules.js';
import type { ExistingDeclaration } from './declaration-queries.js';
import { renderSignalHead } from './signal-head.js';

/** An existing house consignment, compared with the incoming one at an index. */
export type ExistingHouse = {
  index: number;
  id: string;
  /**
   * The text of its document if other goods of the declaration have the same key, and none has the incoming text: then the
   * incoming one is not this one, and cannot be added either.
   */
  otherSpelling: string | null;
  /** Whether there are such goods, and it has the incoming text. */
  isOnlySpelling: boolean;
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
        coalesce(h.only_spelling = i.number, false) as "isOnlySpelling",
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
        select * from (
          -- In the order of the index on keys: without statistics, the planner might read the whole declaration for each.
          select * from house_consignment h
          where h.ens_id = i.ens and h.document_key = identifier_key(i.number) and h.document_type = i.type
          order by h.only_spelling offset 0
        ) h
        order by h.only_spelling <> i.number limit 1
      ) h`,
    values: [JSON.stringify(incoming)],
  };
}

/** A house consignment to add or change. */
export type HouseToWrite = {
  id: string;
  /** Its declaration, with the members that it has after the registration. */
  declaration: Pick<ExistingDeclaration, 'id' | 'members'>;
  house: PreNotifiedHouseConsignment;
  /** The routing that it has from now on; `undefined` if it is undecided. */
  route: Route | undefined;
  /** The registration that it was pre-notified with. */
  registration: number | null;
};

/** House consignments as JSON text: one object each costs less on both sides than one array for each column. */
function houseText(houses: readonly HouseToWrite[]): string {
  return JSON.stringify(
    houses.map(({ id, declaration, house, route, registration }) => ({
      id,
      ens: declaration.id,
      number: house.transportDocumentHouseLevel.documentNumber,
      type: house.transportDocumentHouseLevel.type,
      master_number: house.transportDocumentMasterLevel?.documentNumber,
      master_type: house.transportDocumentMasterLevel?.type,
      receptacle: house.receptacleId,
      head: renderSignalHead(declaration.members, house),
      subheadings: house.harmonizedSystemSubheadingCode,
      routing: house.routing,
      location: house.routingControlLocation,
      decided_routing: route?.routing,
      decided_location: route?.routingControlLocation,
      registration,
    })),
  );
}

export function insertHouses(houses: readonly HouseToWrite[]): Statement {
  return {
    name: 'insert-houses',
    text: `
      insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
        master_document_type, receptacle_id, signal_head, registered_routing, registered_control_location,
        routing, routing_control_location, registration, subheadings, document_key, master_document_key)
      select id, ens, number, type, master_number, master_type, receptacle, head, routing, location,
        decided_routing, decided_location, registration, nullif(subheadings, '{}'),
        identifier_key(number), identifier_key(master_number)
      from json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
        master_type text, receptacle text, head text, subheadings text[], routing text, location text,
        decided_routing text, decided_location text, registration bigint)`,
    values: [houseText(houses)],
  };
}

/** Changes house consignments. */
export function updateHouses(houses: readonly HouseToWrite[]): Statement {
  return {
    name: 'update-houses',
    text: `
      update house_consignment h
      set document_number = n.number, master_document_number = n.master_number,
        master_document_key = identifier_key(n.master_number), master_document_type = n.master_type,
        receptacle_id = n.receptacle, signal_head = n.head, subheadings = nullif(n.subheadings, '{}'),
        routing = n.decided_routing, routing_control_location = n.decided_location,
        registered_routing = n.routing, registered_control_location = n.location
      from json_to_recordset($1::json) as n (id uuid, ens integer, number text, type text, master_number text,
        master_type text, receptacle text, head text, subheadings text[], routing text, location text,
        decided_routing text, decided_location text)
      where h.id = n.id`,
    values: [houseText(houses)],
  };
}

export function updateHeads(ids: readonly string[], heads: readonly string[]): Statement {
  return {
    name: 'update-heads',
    text: `
      update house_consignment h set signal_head = i.head
      from unnest($1::uuid[], $2::text[]) as i (id, head)
      where h.id = i.id`,
    values: [ids, heads],
  };
}

/** Changes the routing of house consignments that a profile has decided again. */
export function updateRoutings(
  routes: readonly { id: string; route: Route | undefined }[],
): Statement {
  const given = new Parameters();
  return {
    name: 'update-routings',
    text: `
      update house_consignment h set routing = i.routing, routing_control_location = i.location
      from ${given.rows('i', routes, {
        id: ['uuid', ({ id }) => id],
        routing: ['text', ({ route }) => route?.routing],
        location: ['text', ({ route }) => route?.routingControlLocation],
      })}
      where h.id = i.id`,
    values: given.values,
  };
}

/** Adds the containers that house consignments are packed in. */
export function insertContainers(houses: readonly HouseToWrite[]): Statement {
  const containers = houses.flatMap(({ id, house: { containerId = [] } }) =>
    containerId.map((container) => ({ container, id })),
  );
  return {
    name: 'insert-containers',
    text: `
      insert into house_consignment_container (container_id, house_consignment_id, ens_id)
      select i.container, i.house, h.ens_id
      from unnest($1::text[], $2::uuid[]) as i (container, house)
      join house_consignment h on h.id = i.house`,
    values: [containers.map(({ container }) => container), containers.map(({ id }) => id)],
  };
}

export function deleteContainers(ids: readonly string[]): Statement {
  return {
    name: 'delete-containers',
    text: 'delete from house_consignment_container where house_consignment_id = any($1::uuid[])',
    values: [ids],
  };
}
