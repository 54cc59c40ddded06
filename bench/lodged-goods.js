// Movement messages for runs: transports and master consignments as they are sent, and any number of house consignments, which
// are inserted as lodging stores them.
import { randomUUID } from 'node:crypto';
import { AUDIT_LOCK } from '../packages/service/dist/database/locks.js';
import { send } from './send.js';

/** The scopes with which a run lodges road messages and reports arrivals. */
export const MOVEMENT_SCOPES = ['movement/road/v2', 'movement/transportarrival'];

const address = { city: 'Oslo', country: 'NO', postcode: '0150', streetLine: 'Strandgata 1' };
const communication = [{ identifier: 'post@example.com', type: 'EM' }];
const party = { name: 'Stoler AS', typeOfPerson: '2', address };
const common = () => ({ documentIssueDate: inHours(0) });
const documentOf = (documentNumber) => ({ documentNumber, type: 'N730' });

/** An instant so many hours from now, to the second. */
export const inHours = (hours) =>
  `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;

/** A transport that names master consignments. */
export function transportMessage(means, masters, carrier) {
  return {
    ...common(),
    activeBorderTransportMeans: {
      identificationNumber: means,
      typeOfIdentification: '30',
      modeOfTransportCode: '3',
      typeOfMeansOfTransport: '31',
      countryCode: 'SE',
      operator: { name: 'Kim Berg', communication },
    },
    carrier: { name: 'Carrier', identificationNumber: carrier, address, communication },
    customsOfficeOfFirstEntry: { referenceNumber: 'NO371001' },
    estimatedDateAndTimeOfArrival: inHours(2),
    scheduledDateAndTimeOfArrival: inHours(2),
    consignmentMasterLevel: masters.map((number) => ({
      transportDocumentMasterLevel: documentOf(number),
    })),
  };
}

export function masterMessage(documentNumber, carrier) {
  return {
    ...common(),
    consignmentMasterLevel: {
      containerIndicator: '0',
      grossMass: 1200.5,
      carrier: { identificationNumber: carrier },
      transportDocumentMasterLevel: documentOf(documentNumber),
      consignor: party,
      consignee: party,
    },
  };
}

/** A house consignment that is complete, under a master document. */
export function houseMessage(documentNumber, master, carrier) {
  return {
    ...common(),
    consignmentHouseLevel: {
      transportDocumentHouseLevel: documentOf(documentNumber),
      consignmentMasterLevel: {
        carrierIdentificationNumber: carrier,
        transportDocumentMasterLevel: documentOf(master),
      },
      containerIndicator: '0',
      totalGrossMass: 800,
      numberOfPackages: 3,
      goodsDescription: 'Wooden chairs',
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: false },
      consignor: party,
      consignee: party,
    },
  };
}

export function arrivalOf(mrn) {
  return {
    mrn,
    requestId: randomUUID(),
    dateAndTimeOfArrival: inHours(-0.1),
    customsOfficeOfArrival: { referenceNumber: 'NO371001' },
  };
}

export const ARRIVALS = '/api/movement/arrival/v1/transport-arrival';

/** Lodges a message, which must be accepted; returns its MRN. */
export async function lodge(port, token, level, message) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(message) };
  const response = await send(port, `/api/movement/road/v2/${level}`, sent);
  await response.arrayBuffer();
  const path = new URL(response.headers.get('location')).pathname;
  const status = await (await send(port, path, { headers })).json();
  if (status.status !== 'SUCCESS') throw new Error(`${level}: ${JSON.stringify(status)}`);
  return status.mrn;
}

/** Grants the scopes of movement messages to every organisation of a run. */
export async function grantMovementScopes(database) {
  await database.transact((transaction) =>
    transaction.run(`
      insert into organisation_scope (organisation_id, scope)
        select id, scope from organisation, unnest(array['${MOVEMENT_SCOPES.join("','")}']) scope
        where identifier like '0192:81%'
        on conflict do nothing;
      select append_audit_record(${AUDIT_LOCK}, '{"action":"bench.scopes","details":{}}')`),
  );
}

/**
 * Inserts house consignments under a master document, complete, with a record in the audit trail.
 *
 * @param {{ submitter: string, master: string, carrier: string, count: number, routing?: string }} goods `submitter`: the
 *   identifier of an organisation; without a routing they are undecided
 */
export async function addLodgedHouses(database, { submitter, master, carrier, count, routing }) {
  await database.transact(async (transaction) => {
    await transaction.query({
      name: '',
      text: `
        with submitting as materialized (select id from organisation where identifier = $1),
        inserted as (
          insert into declaration (mrn, declarant, kind)
          select '26NO' || upper(substr(md5($2 || '/' || number), 1, 13)) || 'T0', (select id from submitting), 'HOUSE'
          from generate_series(1, $4) number
          returning id, mrn
        ),
        message as (
          insert into movement (declaration_id, level, mode, submitter, key, request_id, lodged_at, document_number,
            document_type, house_key, carrier, weight, listed, reasons)
          select id, 'HOUSE_CONSIGNMENT', 'road', (select id from submitting), mrn, gen_random_uuid(), now() - interval '1 day', mrn, 'N730',
            identifier_key(mrn), $3, 800, '{}', '{}'
          from inserted
        )
        insert into house_consignment (id, ens_id, document_number, document_type, document_key, master_document_number,
          master_document_type, master_document_key, routing, registered_routing, signal_head)
        select gen_random_uuid(), id, mrn, 'N730', identifier_key(mrn), $2, 'N730', identifier_key($2), $5, $5,
          '{"houseConsignmentMRN":"' || mrn || '","transportDocumentHouseLevel":{"documentNumber":"' || mrn
            || '","referenceNumber":"' || mrn || '","type":"N730"},"transportDocumentMasterLevel":{"documentNumber":"' || $2
            || '","type":"N730"}'
        from inserted`,
      values: [submitter, master, carrier, count, routing ?? null],
    });
    await transaction.query({
      name: '',
      text: `select append_audit_record(${AUDIT_LOCK}, '{"action":"bench.lodged","details":{}}')`,
      values: [],
    });
  });
}
