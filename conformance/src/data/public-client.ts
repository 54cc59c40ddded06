// Requests and messages as a public client of the national service sends them (decision 0283).
import { type ModeName, type MovementLevel, modes } from '@landfall/contract';
import type { Caller } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import { expectStatus, readObject } from '../suite/expect.js';
import { newContainerId, newDocumentNumber } from './identifiers.js';
import { fromNow, HOUSE, MASTER, MEANS, type Message } from './movement-messages.js';

const HOUR_MS = 3_600_000;

/** It sends a Content-Type with each request, whether there is a body or not. */
export const clientHeaders = {
  accept: 'application/json',
  'accept-charset': 'utf-8',
  'content-type': 'application/json',
  'user-agent': 'client of the conformance suite',
};

/** A number that is written as this text in a message: `JSON.stringify` has no `299.0` and no `1.5E7`. */
const asWritten = (text: string) => `as written ${text}`;

/** The text of a message, with each number as it is to be written. */
export function writeMessage(message: Message): string {
  return JSON.stringify(message).replaceAll(/"as written ([^"]+)"/g, '$1');
}

const addressOf = (mode: ModeName, more: 'queries' | undefined, path: string) =>
  `/api/movement/${mode}/${more === undefined ? '' : 'status/'}${modes[mode].version}/${path}`;

/** Asks one of the addresses below the status of a mode; returns whatever the service responds. */
export function ask(caller: Caller, mode: ModeName, path: string): Promise<HttpResponse> {
  return caller.request('GET', addressOf(mode, 'queries', path), { headers: clientHeaders });
}

/** Sends a message, or cancels one, and returns the requestId with the response for its status. */
export async function sendMessage(
  caller: Caller,
  mode: ModeName,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  message: Message = { documentIssueDate: fromNow(0) },
): Promise<{ requestId: string; accepted: HttpResponse; status: HttpResponse }> {
  const options = { raw: writeMessage(message), headers: clientHeaders };
  const accepted = await caller.request(method, addressOf(mode, undefined, path), options);
  expectStatus(accepted, 202);
  const requestId = String(readObject(accepted).requestId);
  const [level = ''] = path.split('/');
  return { requestId, accepted, status: await readStatusOf(caller, mode, level, requestId) };
}

/** Reads the status of a request. */
export async function readStatusOf(
  caller: Caller,
  mode: ModeName,
  level: string,
  requestId: string,
): Promise<HttpResponse> {
  const status = await ask(caller, mode, `${level}/validation-status/${requestId}`);
  expectStatus(status, 200);
  return status;
}

const address = { city: 'Oslo', country: 'NO', postcode: '0150', streetLine: 'Strandgata' };
const mail = { identifier: 'post@example.com', type: 'EM' };
const telephone = { identifier: '+4722222222', type: 'TE' };
const document = (documentNumber: string, type = 'N730') => ({ documentNumber, type });

/** The second line of its addresses is in two members. */
const party = (name: string) => ({
  name,
  identificationNumber: 'NO999999999',
  typeOfPerson: 2,
  address: { ...address, streetAdditionalLine: 'Postboks 7', poBox: 'Postboks 7', number: '52' },
  communication: [mail],
});

/** A place is known by its country alone. */
const place = { address: { country: 'NO' } };

/** A transport with its representative, whose communications are often none, and the documents that are known by then. */
export function transportMessage(mode: ModeName, documents: readonly string[] = []): Message {
  return {
    documentIssueDate: fromNow(0),
    representative: {
      name: 'Forwarder',
      identificationNumber: 'NO999999999',
      address,
      communication: [],
    },
    carrier: {
      name: 'Carrier',
      identificationNumber: 'NO888888888',
      address: { ...address, number: '1' },
      communication: [mail, telephone],
    },
    customsOfficeOfFirstEntry: { referenceNumber: 'NO371001' },
    estimatedDateAndTimeOfArrival: fromNow(2 * HOUR_MS),
    scheduledDateAndTimeOfArrival: fromNow(2 * HOUR_MS),
    ...(documents.length > 0 && {
      [MASTER]: documents.map((number) => ({ transportDocumentMasterLevel: document(number) })),
    }),
    [MEANS]: {
      identificationNumber: newDocumentNumber(),
      typeOfIdentification: modes[mode].typeOfIdentification,
      typeOfMeansOfTransport: '31',
      ...(modes[mode].conveyanceInKey && { conveyanceReferenceNumber: 'LF123' }),
      countryCode: 'NO',
      modeOfTransportCode: modes[mode].modeOfTransportCode,
      operator: { name: 'Kim Berg', communication: [mail] },
    },
  };
}

/** A master consignment: its mass is a whole number, and it has containers, places and e-mail addresses if there are any. */
export function masterMessage(documentNumber: string, isWhole = false): Message {
  return {
    documentIssueDate: fromNow(0),
    ...(isWhole && {
      representative: {
        name: 'Forwarder',
        identificationNumber: 'NO999999999',
        address,
        communication: [mail, telephone],
        releasedConfirmation: ['a', 'b', 'c'].map((name) => ({
          emailAddress: `${name}@example.com`,
        })),
      },
    }),
    [MASTER]: {
      containerIndicator: isWhole ? 1 : 0,
      grossMass: 1200,
      carrier: { identificationNumber: 'NO888888888' },
      consignee: party('Receiver'),
      consignor: party('Sender'),
      transportDocumentMasterLevel: document(documentNumber),
      ...(isWhole && {
        transportEquipment: Array.from({ length: 3 }, () => ({
          containerSizeAndType: '17',
          containerPackedStatus: 'B',
          containerSupplierType: '2',
          containerIdentificationNumber: newContainerId(),
        })),
        placeOfLoading: { ...place, unloCode: 'NOOSL' },
        placeOfUnloading: { ...place, location: 'Terminal 2' },
        placeOfDelivery: place,
      }),
    },
  };
}

const declared = {
  typeOfReference: 'CUDE',
  declarantNumber: '123456789',
  declarationDate: '2022-08-10',
  sequenceNumber: '1',
};
const ten = Array.from({ length: 10 }, (_, index) => String(index + 1).padStart(14, '0'));

/** What its house consignments have of their own, with the modes that take them. */
export const houseForms: Readonly<Record<string, { only?: ModeName; members: Message }>> = {
  'a declaration and nothing that goes on': {
    members: {
      importProcedure: {
        importProcedure: 'IMMEDIATE_RELEASE_IMPORT',
        hasOutgoingProcedure: 'FALSE',
      },
      previousDocuments: [declared],
      totalGrossMass: asWritten('1.25E7'),
    },
  },
  'ten transits, a declaration and ten exports': {
    members: {
      importProcedure: { importProcedure: 'CUSTOMS_DECLARATION', outgoingProcedure: 'TRE' },
      previousDocuments: [
        ...ten.map((end) => ({ typeOfReference: 'N820', referenceNumber: `26SE${end}` })),
        declared,
      ],
      exportFromEU: ten.map((end) => ({ exportId: `26FI${end}`, typeOfExport: 'AES' })),
      placeOfAcceptance: { ...place, location: 'Malmö' },
      placeOfDelivery: { ...place, unloCode: 'NOOSL' },
    },
  },
  'goods of an online shop': {
    members: {
      importProcedure: { importProcedure: 'IMMEDIATE_RELEASE_VOEC' },
      goodsItem: [
        {
          itemAmountInvoicedVOEC: { value: asWritten('299.0'), numberOfItems: 2 },
          commodityCodeVOEC: { harmonizedSystemSubheadingCode: '640399' },
          additionalFiscalReferences: { vatIdentificationNumber: '2056550', role: 'FR5' },
        },
      ],
    },
  },
  'an empty list of exports': {
    members: {
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: 'FALSE' },
      exportFromEU: [],
    },
  },
  'mail in a receptacle': {
    members: {
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: 'FALSE' },
      [MASTER]: undefined,
      receptacleIdentificationNumber: 'SEMMAANOOSLAAUN60001001010005',
    },
  },
  'a transit that goes on': {
    only: 'road',
    members: {
      importProcedure: { importProcedure: 'TRANSIT_RELEASE', outgoingProcedure: 'EXP' },
      previousDocuments: [{ typeOfReference: 'RETR', referenceNumber: '26SE000000000000T1' }],
      exportFromEU: [{ exportId: '26SE00000000000001', typeOfExport: 'AES' }],
    },
  },
};

/** A house consignment under a master consignment. */
export function houseMessage(
  members: Message = houseForms['a declaration and nothing that goes on']?.members ?? {},
  { house = newDocumentNumber(), master = newDocumentNumber() } = {},
): Message {
  return {
    documentIssueDate: fromNow(0),
    [HOUSE]: {
      containerIndicator: 0,
      totalGrossMass: asWritten('12.0'),
      numberOfPackages: 3,
      goodsDescription: 'Wooden chairs',
      transportDocumentHouseLevel: document(house),
      [MASTER]: {
        carrierIdentificationNumber: 'NO888888888',
        transportDocumentMasterLevel: document(master),
      },
      consignor: party('Sender'),
      consignee: party('Receiver'),
      ...members,
    },
  };
}

/** A message of a level that nothing else has the document of. */
export function newMessage(level: MovementLevel, mode: ModeName): Message {
  if (level === 'transport') return transportMessage(mode, [newDocumentNumber()]);
  return level === 'house-consignment' ? houseMessage() : masterMessage(newDocumentNumber());
}

/** An upload as its library writes it: a text in another character set, and the path of the file as its name. */
export function uploadBody(declarationId: string, documentType: string, content: string): string {
  const metadata = `{"declarationId": "${declarationId}","documentType": "${documentType}"}`;
  return [
    '--boundary',
    'Content-Disposition: form-data; name="metadata"',
    'Content-Type: text/plain;charset=ISO-8859-1',
    `Content-Length: ${metadata.length}`,
    '',
    metadata,
    '--boundary',
    'Content-Disposition: form-data; name="file"; filename="/archive/2026/faktura 1.pdf"',
    'Content-Type: application/pdf',
    '',
    content,
    '--boundary--',
    '',
  ].join('\r\n');
}
