// Lodges movement messages at a playground, for tests: messages with no more than they need, and the status of each request.
import assert from 'node:assert/strict';
import {
  type ModeName,
  type MovementLevel,
  type MovementStatus,
  modes,
  type RelatedType,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import type { TestPlayground } from './playground-client.js';

/** The carrier of all messages, unless one says otherwise: no organisation of the playground. */
export const CARRIER = 'NO888888888';

/** The document of a consignment. */
export const roadDocument = (documentNumber: string) => ({ documentNumber, type: 'N730' });

const common = { documentIssueDate: '2026-05-04T07:00:00Z' };
const communication = [{ identifier: 'post@example.com', type: 'EM' }];
const party = (country: string) => ({
  name: 'Stoler AS',
  typeOfPerson: '2',
  address: { city: 'Oslo', country, postcode: '0150', streetLine: 'Strandgata 1' },
});

/** An instant so many hours from now, to the second. */
export const inHours = (hours: number) =>
  `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;

/** A house consignment that is complete, because its goods are cleared collectively: on its own, unless it is said on what it hangs. */
export function houseMessage(
  documentNumber: string,
  {
    master,
    receptacle,
    isDirect = false,
    carrier = CARRIER,
    ...more
  }: {
    master?: string;
    receptacle?: string;
    isDirect?: boolean;
    carrier?: string;
  } & Record<string, unknown> = {},
) {
  return {
    ...common,
    consignmentHouseLevel: {
      transportDocumentHouseLevel: roadDocument(documentNumber),
      ...(master !== undefined && {
        consignmentMasterLevel: {
          carrierIdentificationNumber: carrier,
          transportDocumentMasterLevel: roadDocument(master),
        },
      }),
      ...(receptacle !== undefined && { receptacleIdentificationNumber: receptacle }),
      ...(isDirect && {
        directConsignment: true,
        transportLevel: { carrierIdentificationNumber: carrier },
      }),
      containerIndicator: '0',
      totalGrossMass: 800,
      numberOfPackages: 3,
      goodsDescription: 'Wooden chairs',
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: false },
      consignor: party('SE'),
      consignee: party('NO'),
      ...more,
    },
  };
}

/** Members of a house consignment that is cleared by a customs declaration which is valid in a playground. */
export const citing = (sequenceNumber: string) => ({
  importProcedure: { importProcedure: 'CUSTOMS_DECLARATION', hasOutgoingProcedure: false },
  previousDocuments: [
    {
      typeOfReference: 'CUDE',
      declarantNumber: '123456789',
      declarationDate: '2022-08-10',
      sequenceNumber,
    },
  ],
});

/** A master consignment, with the receptacles of mail that it names. */
export function masterMessage(
  documentNumber: string,
  {
    receptacles = [],
    carrier = CARRIER,
    ...more
  }: { receptacles?: readonly string[]; carrier?: string } & Record<string, unknown> = {},
) {
  return {
    ...common,
    consignmentMasterLevel: {
      containerIndicator: '0',
      grossMass: 1200.5,
      carrier: { identificationNumber: carrier },
      transportDocumentMasterLevel: roadDocument(documentNumber),
      consignor: party('SE'),
      consignee: party('NO'),
      ...(receptacles.length > 0 && {
        consignmentHouseLevel: [
          { receptacle: receptacles.map((id) => ({ receptacleIdentificationNumber: id })) },
        ],
      }),
      ...more,
    },
  };
}

/** A transport that arrives in two hours, with the documents that it names. */
export function transportMessage(
  means: string,
  {
    mode = 'road',
    masters = [],
    houses = [],
    carrier = CARRIER,
    ...more
  }: {
    mode?: ModeName;
    masters?: readonly string[];
    houses?: readonly string[];
    carrier?: string;
  } & Record<string, unknown> = {},
) {
  return {
    ...common,
    activeBorderTransportMeans: {
      identificationNumber: means,
      typeOfIdentification: modes[mode].typeOfIdentification,
      modeOfTransportCode: modes[mode].modeOfTransportCode,
      typeOfMeansOfTransport: '31',
      countryCode: 'SE',
      operator: { name: 'Kim Berg', communication },
    },
    carrier: {
      name: 'Carrier',
      identificationNumber: carrier,
      address: { city: 'Svinesund', country: 'NO' },
      communication,
    },
    customsOfficeOfFirstEntry: { referenceNumber: 'NO371001' },
    estimatedDateAndTimeOfArrival: inHours(2),
    scheduledDateAndTimeOfArrival: inHours(2),
    ...(masters.length > 0 && {
      consignmentMasterLevel: masters.map((number) => ({
        transportDocumentMasterLevel: roadDocument(number),
      })),
    }),
    ...(houses.length > 0 && {
      consignmentHouseLevel: houses.map((number) => ({
        transportDocumentHouseLevel: roadDocument(number),
      })),
    }),
    ...more,
  };
}

/** One of the two messages of a relation: its type and its MRN. */
export type RelatedEnd = readonly [type: RelatedType, mrn: string];

/** Sends requests about messages of one mode, and gives their statuses. */
export class TestMovements {
  readonly #playground: TestPlayground;
  readonly #mode: ModeName;

  constructor(playground: TestPlayground, mode: ModeName = 'road') {
    this.#playground = playground;
    this.#mode = mode;
  }

  /** Lodges a message, which is accepted; gives its MRN. */
  async lodge(level: MovementLevel, message: unknown, as = 'forwarder'): Promise<string> {
    return this.#succeed(await this.carryOut('POST', level, message, as));
  }

  async replace(level: MovementLevel, mrn: string, message: unknown, as = 'forwarder') {
    this.#succeed(await this.carryOut('PUT', `${level}/${mrn}`, message, as));
  }

  async cancel(level: MovementLevel, mrn: string, as = 'forwarder') {
    this.#succeed(await this.carryOut('DELETE', `${level}/${mrn}`, {}, as));
  }

  /** Hangs a message on another one, which is accepted; gives the MRN of the relation. */
  async relate(parent: RelatedEnd, child: RelatedEnd, as = 'forwarder'): Promise<string> {
    return this.#succeed(await this.tryRelate(parent, child, as));
  }

  /** Asks for a relation, and gives the status. */
  tryRelate(
    [parentObjectType, parentObjectReference]: RelatedEnd,
    [childObjectType, childObjectReference]: RelatedEnd,
    as = 'forwarder',
    more: Record<string, unknown> = {},
  ): Promise<MovementStatus> {
    const ends = {
      parentObjectType,
      parentObjectReference,
      childObjectType,
      childObjectReference,
    };
    return this.carryOut('POST', 'relation', { ...ends, ...more }, as);
  }

  /** Cancels a relation, and gives the status. */
  unrelate(mrn: string, as = 'forwarder'): Promise<MovementStatus> {
    return this.carryOut('DELETE', `relation/${mrn}`, {}, as);
  }

  /** Reports an arrival, which is accepted; gives its status. */
  arrive(mrn: string, as: string, more: Record<string, unknown> = {}): Promise<MovementStatus> {
    const body = {
      mrn,
      dateAndTimeOfArrival: inHours(-0.1),
      customsOfficeOfArrival: { referenceNumber: 'NO371001' },
      ...more,
    };
    return this.#send('POST', '/api/movement/arrival/v1/transport-arrival', body, as);
  }

  /** Sends a request that is accepted, and gives its status. */
  carryOut(method: string, path: string, body: unknown, as = 'forwarder'): Promise<MovementStatus> {
    const { version } = modes[this.#mode];
    const address = `/api/movement/${this.#mode}/${version}/${path}`;
    return this.#send(method, address, body, as);
  }

  async #send(method: string, address: string, body: unknown, as: string): Promise<MovementStatus> {
    const response = await this.#playground.call(address, { as, method, body });
    assert.equal(response.status, 202, response.text);
    const location = new URL(response.headers.get('location') ?? '').pathname;
    const status = await this.#playground.get(location, as);
    assert.equal(status.status, 200, status.text);
    // Safe cast: the response was compared with openapi.json.
    return status.body as MovementStatus;
  }

  #succeed({ status, mrn, ...rest }: MovementStatus): string {
    assert.equal(status, 'SUCCESS', JSON.stringify(rest));
    return mrn ?? assert.fail('there is no MRN');
  }
}

/** Writes that a transport has arrived, without what an arrival does beside it. */
export async function recordArrival(
  database: Queryable,
  mrn: string,
  office: string,
  at: Date,
): Promise<void> {
  await database.query({
    name: '',
    text: `
      update movement set arrived_at = $2, arrival_office = $3, arrival_recorded_at = now()
      where declaration_id = (select id from declaration where mrn = $1)`,
    values: [mrn, at, office],
  });
}
