// SQL that writes the changes of a registration, in sets.
import { DOMESTIC_ORGANISATION_PREFIX, type PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import type { ProfileDecision } from '../routing/compile-profile.js';
import type { RegistrationContext } from '../routing/decision-context.js';
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
}: RegistrationContext): Statement<{ id: number }> {
  return {
    name: 'insert-registration',
    text: `
      insert into registration (at, organisation_id, client_id, request_id)
      values ($1, $2, $3, $4) returning id`,
    values: [at, actor?.organisationId ?? null, actor?.client ?? null, requestId],
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
): Statement<{ id: number; mrn: string }> {
  return {
    name: 'insert-declarations',
    text: `
      insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant, representative, carrier,
        presenters, estimated_time_of_arrival, transport_means_number, transport_means_type)
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
      order by i.mrn
      on conflict (mrn) do nothing
      returning id, mrn`,
    values: [declarationText(declarations)],
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
  /** The decision of the live routing profile on a new one that comes without a decision. */
  decision?: ProfileDecision | undefined;
};

/** House consignments as JSON text: one object each costs less on both sides than one array for each column. */
function houseText(houses: readonly HouseToWrite[]): string {
  return JSON.stringify(
    houses.map(({ id, declaration, house, decision }) => ({
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
      decided_routing: decision?.routing,
      decided_location: decision?.routingControlLocation,
    })),
  );
}

export function insertHouses(houses: readonly HouseToWrite[], registration: number): Statement {
  return {
    name: 'insert-houses',
    text: `
      insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
        master_document_type, receptacle_id, signal_head, registered_routing, registered_control_location,
        routing, routing_control_location, registration, subheadings)
      select id, ens, number, type, master_number, master_type, receptacle, head, routing, location,
        coalesce(decided_routing, routing),
        case when decided_routing is null then location else decided_location end, $2::bigint,
        nullif(subheadings, '{}')
      from json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
        master_type text, receptacle text, head text, subheadings text[], routing text, location text,
        decided_routing text, decided_location text)`,
    values: [houseText(houses), registration],
  };
}

/**
 * Changes house consignments. A registered routing that differs from the previous one is a new decision. If there is
 * none any more, the decision that was registered is withdrawn, unless a later decision has replaced it.
 */
export function updateHouses(houses: readonly HouseToWrite[]): Statement {
  return {
    name: 'update-houses',
    text: `
      update house_consignment h
      set master_document_number = n.master_number, master_document_type = n.master_type,
        receptacle_id = n.receptacle, signal_head = n.head, subheadings = nullif(n.subheadings, '{}'),
        routing = case when n.decides then n.routing else h.routing end,
        routing_control_location = case when n.decides then n.location else h.routing_control_location end,
        registered_routing = n.routing, registered_control_location = n.location
      from (
        select i.*,
          (i.routing, i.location) is distinct from (k.registered_routing, k.registered_control_location)
            and (i.routing is not null
              or (k.routing, k.routing_control_location)
                is not distinct from (k.registered_routing, k.registered_control_location)) as decides
        from json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
          master_type text, receptacle text, head text, subheadings text[], routing text, location text,
          decided_routing text, decided_location text)
        join house_consignment k using (id)
      ) n
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

/** Deletes house consignments with their containers. */
export function deleteHouses(ids: readonly string[]): Statement {
  return {
    name: 'delete-houses',
    text: 'delete from house_consignment where id = any($1::uuid[])',
    values: [ids],
  };
}

export function deleteDeclaration(id: number): Statement {
  return {
    name: 'delete-declaration',
    text: 'delete from entry_summary_declaration where id = $1',
    values: [id],
  };
}
