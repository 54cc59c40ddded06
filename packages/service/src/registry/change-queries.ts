// SQL that writes the changes of a registration, in sets.
import { DOMESTIC_ORGANISATION_PREFIX, type PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import type { Route } from '../routing/decision-rules.js';
import type { ExistingDeclaration } from './existing-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { renderSignalHead } from './signal-head.js';

/** Adds organisations that do not exist yet, with their identifiers as names. */
export function insertOrganisations(identifiers: readonly string[]): Statement {
  return {
    name: 'insert-organisations',
    // Every registration adds them in the same order, so that none can deadlock with another.
    text: `
      insert into organisation (identifier, name, kind)
      select named, named, case when named like '${DOMESTIC_ORGANISATION_PREFIX}%' then 'domestic' else 'foreign' end
      from (select distinct unnest($1::text[]) as named order by 1) in_order
      where (select true from organisation where identifier = named limit 1) is null
      on conflict do nothing`,
    values: [identifiers],
  };
}

/** Adds a registration; returns the id that its house consignments refer to. */
export function insertRegistration({
  at,
  actor,
  requestId,
}: RegistrationContext): Statement<{ id: number; at: Date }> {
  return {
    name: 'insert-registration',
    text: `
      insert into registration (at, organisation_id, client_id, request_id)
      values (record_time($1), $2, $3, $4) returning id, at`,
    values: [at ?? null, actor?.organisationId ?? null, actor?.client ?? null, requestId],
  };
}

/** Declarations as JSON text, without members that are not stored. */
function declarationText(declarations: readonly DeclarationMembers[]): string {
  return JSON.stringify(
    declarations.map(({ mrn, declarant, representative, carrier, presenters, ...members }) => ({
      mrn,
      office: members.customsOfficeOfFirstEntry,
      declarant,
      representative,
      carrier,
      presenters,
      arrival: members.estimatedTimeOfArrival,
      means_number: members.activeBorderTransportMeans?.identificationNumber,
      means_type: members.activeBorderTransportMeans?.typeOfIdentification,
    })),
  );
}

/** Adds declarations, whose organisations exist; returns those that were not added concurrently. */
export function insertDeclarations(
  declarations: readonly DeclarationMembers[],
  registration: number,
): Statement<{ id: number; mrn: string }> {
  return {
    name: 'insert-declarations',
    text: `
      insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant, representative, carrier,
        presenters, estimated_time_of_arrival, transport_means_number, transport_means_type, version)
      select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
        (select array_agg(o.id order by number)
          from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
          join organisation o using (identifier)) as presenters,
        i.arrival, i.means_number, i.means_type, $2::bigint
      from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
        presenters json, arrival timestamptz, means_number text, means_type text)
      join organisation d on d.identifier = i.declarant
      left join organisation r on r.identifier = i.representative
      left join organisation c on c.identifier = i.carrier
      order by i.mrn
      on conflict (mrn) do nothing
      returning id, mrn`,
    values: [declarationText(declarations), registration],
  };
}

export function updateDeclarations(declarations: readonly DeclarationMembers[]): Statement {
  return {
    name: 'update-declarations',
    text: `
      update entry_summary_declaration e
      set customs_office_of_first_entry = n.office, declarant = n.declarant, representative = n.representative,
        carrier = n.carrier, presenters = n.presenters, estimated_time_of_arrival = n.arrival,
        transport_means_number = n.means_number, transport_means_type = n.means_type
      from (
        select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
          (select array_agg(o.id order by number)
            from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
            join organisation o using (identifier)) as presenters,
          i.arrival, i.means_number, i.means_type
        from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
          presenters json, arrival timestamptz, means_number text, means_type text)
        join organisation d on d.identifier = i.declarant
        left join organisation r on r.identifier = i.representative
        left join organisation c on c.identifier = i.carrier
      ) n
      where e.mrn = n.mrn`,
    values: [declarationText(declarations)],
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

/** The columns that a house consignment keeps when it is withdrawn. */
const KEPT = `id, ens_id, document_number, document_type, master_document_number, master_document_type, receptacle_id,
          signal_head, routing, routing_control_location, registration, registered_routing,
          registered_control_location, subheadings, document_key, master_document_key`;

/** A house consignment that was withdrawn. */
export type WithdrawnRow = { id: string; documentNumber: string; type: string };

/**
 * Withdraws the next house consignments of a declaration, except the listed ones, with their containers. Their decisions
 * and their history stay.
 */
export function withdrawHouses(
  declaration: number,
  listed: readonly string[],
  registration: number,
  limit: number,
): Statement<WithdrawnRow> {
  return {
    name: 'withdraw-houses',
    text: `
      with next as materialized (
        select id from house_consignment
        where ens_id = $1 and id not in (select unnest($2::uuid[])) limit $4
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
      )
      insert into withdrawn_house_consignment (${KEPT}, withdrawal)
      select ${KEPT}, $3::bigint from gone
      returning id, document_number as "documentNumber", document_type as type`,
    values: [declaration, listed, registration, limit],
  };
}

/** Removes house consignments that are listed again from the withdrawn ones. */
export function deleteWithdrawnHouses(ids: readonly string[]): Statement<{ id: string }> {
  return {
    name: 'delete-withdrawn-houses',
    text: 'delete from withdrawn_house_consignment where id = any($1::uuid[]) returning id',
    values: [ids],
  };
}

/** Declarations that a registration has changed, or of which it has changed house consignments, and which are current. */
export function updateVersions(ids: readonly number[], registration: number): Statement {
  return {
    name: 'update-versions',
    text: `
      update entry_summary_declaration set version = $2, withdrawal = null where id = any($1::integer[])`,
    values: [ids, registration],
  };
}

export function withdrawDeclaration(id: number, registration: number): Statement {
  return {
    name: 'withdraw-declaration',
    text: 'update entry_summary_declaration set version = $2, withdrawal = $2 where id = $1',
    values: [id, registration],
  };
}
