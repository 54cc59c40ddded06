// SQL of the registry.
import type { Statement } from '../database/database.js';
import { type EntrySummaryDeclaration, renderSignalHead } from './entry-summary-declaration.js';

/** Makes known the organisations that are not known yet. */
export function insertOrganisations(identifiers: readonly string[]): Statement {
  return {
    name: 'insert-organisations',
    text: `
      insert into organisation (identifier)
      select distinct named from unnest($1::text[]) as named
      where not exists (select from organisation where identifier = named)
      on conflict do nothing`,
    values: [identifiers],
  };
}

export function selectKnownMrns(mrns: readonly string[]): Statement {
  return {
    name: 'select-known-mrns',
    text: 'select mrn from entry_summary_declaration where mrn = any($1::text[])',
    values: [mrns],
  };
}

/** Adds an ENS unless its MRN is known; gives its id when it was added. */
export function insertDeclaration(declaration: EntrySummaryDeclaration): Statement {
  const means = declaration.activeBorderTransportMeans;
  return {
    name: 'insert-declaration',
    text: `
      insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant, representative,
        estimated_time_of_arrival, transport_means_number, transport_means_type)
      select $1, $2, d.id, r.id, $5, $6, $7
      from organisation d left join organisation r on r.identifier = $4
      where d.identifier = $3
      on conflict (mrn) do nothing
      returning id`,
    values: [
      declaration.mrn,
      declaration.customsOfficeOfFirstEntry,
      declaration.declarant,
      declaration.representative ?? null,
      declaration.estimatedTimeOfArrival ?? null,
      means?.identificationNumber ?? null,
      means?.typeOfIdentification ?? null,
    ],
  };
}

/** Adds the house consignments of an ENS that has just been added, under the ids given, with their containers. */
export function insertHouseConsignments(
  declarationId: number,
  declaration: EntrySummaryDeclaration,
  ids: readonly string[],
): Statement {
  const houses = declaration.houseConsignments;
  const containers = houses.flatMap(({ containerId = [] }, place) =>
    containerId.map((container) => ({ container, house: ids[place] })),
  );
  return {
    name: 'insert-house-consignments',
    text: `
      with inserted as (
        insert into house_consignment (ens_id, id, document_number, document_type, master_document_number,
          master_document_type, receptacle_id, signal_head, routing, routing_control_location)
        select $1, * from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::text[], $9::text[], $10::text[])
      )
      insert into house_consignment_container (container_id, house_consignment_id)
      select * from unnest($11::text[], $12::uuid[])`,
    values: [
      declarationId,
      ids,
      houses.map(({ transportDocumentHouseLevel }) => transportDocumentHouseLevel.documentNumber),
      houses.map(({ transportDocumentHouseLevel }) => transportDocumentHouseLevel.type),
      houses.map(
        ({ transportDocumentMasterLevel }) => transportDocumentMasterLevel?.documentNumber ?? null,
      ),
      houses.map(({ transportDocumentMasterLevel }) => transportDocumentMasterLevel?.type ?? null),
      houses.map(({ receptacleId }) => receptacleId ?? null),
      houses.map((house) => renderSignalHead(declaration, house)),
      houses.map(({ routing }) => routing ?? null),
      houses.map(({ routingControlLocation }) => routingControlLocation ?? null),
      containers.map(({ container }) => container),
      containers.map(({ house }) => house),
    ],
  };
}
