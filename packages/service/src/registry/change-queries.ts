// SQL of what registering changes, set by set.
import { DOMESTIC_ORGANISATION_PREFIX, type PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { type DeclarationMembers, keptSubheadings } from './entry-summary-declaration.js';

/** Makes known the organisations that are not known yet; nobody has said their names. */
export function insertOrganisations(identifiers: readonly string[]): Statement {
  return {
    name: 'insert-organisations',
    // In one order for all, so that none waits for another in a circle.
    text: `
      insert into organisation (identifier, name, kind)
      select named, named, case when named like '${DOMESTIC_ORGANISATION_PREFIX}%' then 'domestic' else 'foreign' end
      from (select distinct unnest($1::text[]) as named order by 1) in_order
      where (select true from organisation where identifier = named limit 1) is null
      on conflict do nothing`,
    values: [identifiers],
  };
}

/** Who registers, by its own number; `undefined` where it is Landfall itself. */
export type RegistrationRow = {
  at: Date;
  organisationId: number | undefined;
  client: string | undefined;
  requestId: string;
};

/** Notes that something is registered; gives the id that house consignments carry. */
export function insertRegistration({
  at,
  organisationId,
  client,
  requestId,
}: RegistrationRow): Statement {
  return {
    name: 'insert-registration',
    text: `
      insert into registration (at, organisation_id, client_id, request_id)
      values ($1, $2, $3, $4) returning id`,
    values: [at, organisationId ?? null, client ?? null, requestId],
  };
}

const memberColumns = `
  customs_office_of_first_entry, declarant, representative, estimated_time_of_arrival,
  transport_means_number, transport_means_type, carrier, presenters`;

/** The members of declarations as columns, with the organisations by their numbers. */
const membersByMrn = `
  select i.mrn, i.office, d.id as declarant, r.id as representative, i.arrival, i.means_number, i.means_type,
    c.id as carrier,
    (select array_agg(o.id order by place)
      from json_array_elements_text(i.presenters) with ordinality as named (identifier, place)
      join organisation o using (identifier)) as presenters
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[],
      $9::json[])
    as i (mrn, office, declarant, representative, arrival, means_number, means_type, carrier, presenters)
  join organisation d on d.identifier = i.declarant
  left join organisation r on r.identifier = i.representative
  left join organisation c on c.identifier = i.carrier`;

function memberValues(declarations: readonly DeclarationMembers[]): readonly unknown[] {
  const column = (of: (declaration: DeclarationMembers) => unknown) =>
    declarations.map((declaration) => of(declaration) ?? null);
  return [
    column(({ mrn }) => mrn),
    column(({ customsOfficeOfFirstEntry }) => customsOfficeOfFirstEntry),
    column(({ declarant }) => declarant),
    column(({ representative }) => representative),
    column(({ estimatedTimeOfArrival }) => estimatedTimeOfArrival),
    column(({ activeBorderTransportMeans }) => activeBorderTransportMeans?.identificationNumber),
    column(({ activeBorderTransportMeans }) => activeBorderTransportMeans?.typeOfIdentification),
    column(({ carrier }) => carrier),
    column(({ presenters }) => presenters && JSON.stringify(presenters)),
  ];
}

/** Adds declarations whose organisations are known; gives those that nobody else has added meanwhile. */
export function insertDeclarations(declarations: readonly DeclarationMembers[]): Statement {
  return {
    name: 'insert-declarations',
    text: `
      insert into entry_summary_declaration (mrn, ${memberColumns})
      ${membersByMrn}
      order by i.mrn
      on conflict (mrn) do nothing
      returning id, mrn`,
    values: memberValues(declarations),
  };
}

export function updateDeclarations(declarations: readonly DeclarationMembers[]): Statement {
  return {
    name: 'update-declarations',
    text: `
      update entry_summary_declaration e
      set (${memberColumns}) = (
        n.office, n.declarant, n.representative, n.arrival, n.means_number, n.means_type, n.carrier, n.presenters)
      from (${membersByMrn}) n
      where e.mrn = n.mrn`,
    values: memberValues(declarations),
  };
}

/** A house consignment as it is written. */
export type WrittenHouse = {
  id: string;
  declarationId: number;
  head: string;
  house: PreNotifiedHouseConsignment;
  /** What the live routing profile has decided of one that is new and came without a decision. */
  decided?: Pick<PreNotifiedHouseConsignment, 'routing' | 'routingControlLocation'>;
};

/** House consignments as JSON text, an object for each: cheaper on both sides than an array for each column. */
function houseText(houses: readonly WrittenHouse[]): string {
  return JSON.stringify(
    houses.map(({ id, declarationId, head, house, decided }) => ({
      id,
      ens: declarationId,
      number: house.transportDocumentHouseLevel.documentNumber,
      type: house.transportDocumentHouseLevel.type,
      master_number: house.transportDocumentMasterLevel?.documentNumber,
      master_type: house.transportDocumentMasterLevel?.type,
      receptacle: house.receptacleId,
      head,
      subheadings: keptSubheadings(house),
      routing: house.routing,
      location: house.routingControlLocation,
      decided_routing: decided?.routing,
      decided_location: decided?.routingControlLocation,
    })),
  );
}

const houseRecords = `
  json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
    master_type text, receptacle text, head text, subheadings text[], routing text, location text,
    decided_routing text, decided_location text)`;

export function insertHouses(houses: readonly WrittenHouse[], registration: number): Statement {
  return {
    name: 'insert-houses',
    text: `
      insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
        master_document_type, receptacle_id, signal_head, registered_routing, registered_control_location,
        routing, routing_control_location, registration, subheadings)
      select id, ens, number, type, master_number, master_type, receptacle, head, routing, location,
        coalesce(decided_routing, routing),
        case when decided_routing is null then location else decided_location end, $2::bigint,
        subheadings
      from ${houseRecords}`,
    values: [houseText(houses), registration],
  };
}

/**
 * Changes house consignments. A routing that is registered otherwise than before is a new decision; without one, the
 * decision registered before is taken back, unless it was decided otherwise since.
 */
export function updateHouses(houses: readonly WrittenHouse[]): Statement {
  return {
    name: 'update-houses',
    text: `
      update house_consignment h
      set master_document_number = n.master_number, master_document_type = n.master_type,
        receptacle_id = n.receptacle, signal_head = n.head, subheadings = n.subheadings,
        routing = case when n.decides then n.routing else h.routing end,
        routing_control_location = case when n.decides then n.location else h.routing_control_location end,
        registered_routing = n.routing, registered_control_location = n.location
      from (
        select i.*,
          (i.routing, i.location) is distinct from (k.registered_routing, k.registered_control_location)
            and (i.routing is not null
              or (k.routing, k.routing_control_location)
                is not distinct from (k.registered_routing, k.registered_control_location)) as decides
        from ${houseRecords}
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

/** Packs house consignments into containers. */
export function insertContainers(houses: readonly WrittenHouse[]): Statement {
  const containers = houses.flatMap(({ id, house: { containerId = [] } }) =>
    containerId.map((container) => ({ container, id })),
  );
  return {
    name: 'insert-containers',
    text: `
      insert into house_consignment_container (container_id, house_consignment_id)
      select * from unnest($1::text[], $2::uuid[])`,
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

/** With their containers. */
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
