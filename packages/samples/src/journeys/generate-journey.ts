// The movement messages of a journey, for trials and load: its house consignments, its masters and its transport.
import {
  type HouseConsignmentMessage,
  keysOf,
  type MasterConsignmentMessage,
  type ModeName,
  modes,
  type TransportMessage,
  toTheSecond,
} from '@landfall/contract';
import { receptacle } from '../identifiers.js';
import { makeRandom, type Random } from '../random.js';
import { type JourneyKind, journeyKinds } from './journey-kinds.js';

/** The journey to generate. */
export type JourneyOptions = {
  kind: JourneyKind;
  /** Number of house consignments; default: that of the kind. */
  houses?: number | undefined;
  /** Share of the house consignments that lack their import procedure, 0 to 1; default 0. */
  incomplete?: number | undefined;
  /** Number of the carrier that the messages name, such as `NO310000019`. */
  carrier: string;
  /** When the transport is expected. */
  arrivesAt: Date;
  /** Integer; the same options give the same messages. */
  seed: number;
};

/** A message of a journey. */
export type JourneyMessage =
  | { level: 'house-consignment'; message: HouseConsignmentMessage }
  | { level: 'master-consignment'; message: MasterConsignmentMessage }
  | { level: 'transport'; message: TransportMessage };

/** Most masters of a journey: as many as the number of a master has digits for. */
const MAX_MASTERS = 999;

/** Most receptacles of a master. */
const MAX_RECEPTACLES = 999;

/** House consignments in a master, and items of post in a receptacle, unless there would be too many of them. */
const HOUSES_OF_MASTER = 10;
const ITEMS_OF_RECEPTACLE = 25;

/** How long before the arrival the documents were issued, in hours. */
export const ISSUED_BEFORE_HOURS = 48;

const kindNames = keysOf(journeyKinds);

type Document = { documentNumber: string; type: string };

/** The times of the messages, as they have them. */
export type JourneyTimes = {
  /** When the documents were issued. */
  issued: string;
  /** When the transport is expected. */
  arrives: string;
};

/** What all messages of a journey have in common. */
type Journey = Pick<JourneyOptions, 'kind' | 'carrier'> & {
  times: JourneyTimes;
  incomplete: number;
  random: Random;
  mode: ModeName;
  /** Makes the document of a consignment. */
  documentOf(level: 'master' | 'house', index: number): Document;
};

/**
 * Generates the messages one by one: house consignments, then masters, then the transport, as they are lodged in the days
 * before. All keep the rules, and cite documents that the registers of a playground have. All are of one mode, that of the
 * kind.
 *
 * @throws RangeError for a number that is out of its range
 * @example
 * const options = { kind: 'lorry', carrier: 'NO310000124', seed: 7, arrivesAt: new Date(Date.now() + 3_600_000) } as const;
 * for (const { message } of generateJourney(options)) console.log(JSON.stringify(message));
 */
export function generateJourney({
  arrivesAt,
  ...options
}: JourneyOptions): Generator<JourneyMessage> {
  const issuedAt = new Date(arrivesAt.getTime() - ISSUED_BEFORE_HOURS * 3_600_000);
  return generateMessages(options, {
    issued: toTheSecond(issuedAt),
    arrives: toTheSecond(arrivesAt),
  });
}

/**
 * The same with times as they are given.
 *
 * @throws RangeError for a number that is out of its range
 */
export function* generateMessages(
  { seed, ...options }: Omit<JourneyOptions, 'arrivesAt'>,
  times: JourneyTimes,
): Generator<JourneyMessage> {
  const { kind, carrier, incomplete = 0 } = options;
  const { mode, houses: usual, documents, hasReceptacles, hasDirect } = journeyKinds[kind];
  const houses = options.houses ?? usual;
  if (!(Number.isInteger(houses) && houses > 0)) throw new RangeError('houses must be at least 1');
  if (!(incomplete >= 0 && incomplete <= 1)) throw new RangeError('incomplete must be from 0 to 1');
  // Journeys of two kinds with one seed have nothing in common.
  const random = makeRandom(seed * kindNames.length + kindNames.indexOf(kind));
  const run = random.digits(6);
  const journey: Journey = {
    kind,
    carrier,
    times,
    incomplete,
    random,
    mode,
    documentOf: (level, index) => documents[level](random, run, index),
  };
  const directs = hasDirect ? 1 : 0;
  const inMasters = houses - directs;
  const masterCount = hasReceptacles
    ? 1
    : Math.min(MAX_MASTERS, Math.ceil(inMasters / HOUSES_OF_MASTER));
  const masters = Array.from({ length: masterCount }, (_, index) =>
    journey.documentOf('master', index),
  );
  const receptacles = hasReceptacles ? makeReceptacles(random, houses) : [];
  const onTransport: Document[] = [];
  for (let index = 0; index < houses; index++) {
    const document = journey.documentOf('house', index);
    const master = masters[index % masterCount];
    const named = receptacles[index % receptacles.length];
    if (index >= inMasters) onTransport.push(document);
    if (named !== undefined) {
      yield makeHouse(journey, document, { receptacleIdentificationNumber: named });
    } else if (index < inMasters && master !== undefined) {
      const consignmentMasterLevel = {
        carrierIdentificationNumber: carrier,
        transportDocumentMasterLevel: master,
      };
      yield makeHouse(journey, document, { consignmentMasterLevel });
    } else {
      const transportLevel = { carrierIdentificationNumber: carrier };
      yield makeHouse(journey, document, { directConsignment: true, transportLevel });
    }
  }
  for (const document of masters) yield makeMaster(journey, document, receptacles);
  yield makeTransport(journey, masters, onTransport);
}

function makeReceptacles(random: Random, items: number): string[] {
  const despatch = { origin: 'CNCANA', despatch: random.integer(1, 9999) };
  const count = Math.min(MAX_RECEPTACLES, Math.ceil(items / ITEMS_OF_RECEPTACLE));
  return Array.from({ length: count }, (_, index) =>
    receptacle(despatch, index + 1, random.integer(40, 300)),
  );
}

function makeHouse(
  { random, kind, incomplete, times }: Journey,
  transportDocumentHouseLevel: Document,
  place: Partial<HouseConsignmentMessage['consignmentHouseLevel']>,
): JourneyMessage {
  const { goods, procedures, from, massOfHouse, packages } = journeyKinds[kind];
  const isComplete = !random.chance(incomplete);
  return {
    level: 'house-consignment',
    message: {
      documentIssueDate: times.issued,
      consignmentHouseLevel: {
        transportDocumentHouseLevel,
        ...place,
        containerIndicator: '0',
        totalGrossMass: mass(random, massOfHouse),
        numberOfPackages: random.integer(1, packages),
        goodsDescription: random.pick(goods),
        consignor: makeParty(random, random.pick(from)),
        consignee: makeParty(random, 'NO'),
        ...(isComplete && random.pick(procedures)(random)),
      },
    },
  };
}

function makeMaster(
  { random, kind, carrier, times }: Journey,
  transportDocumentMasterLevel: Document,
  receptacles: readonly string[],
): JourneyMessage {
  const { from, equipment } = journeyKinds[kind];
  return {
    level: 'master-consignment',
    message: {
      documentIssueDate: times.issued,
      consignmentMasterLevel: {
        containerIndicator: equipment === undefined ? '0' : '1',
        grossMass: mass(random, 20_000),
        carrier: { identificationNumber: carrier },
        transportDocumentMasterLevel,
        consignor: makeParty(random, random.pick(from)),
        consignee: makeParty(random, 'NO'),
        ...(equipment !== undefined && { transportEquipment: [equipment(random)] }),
        ...(receptacles.length > 0 && {
          consignmentHouseLevel: [
            { receptacle: [{ receptacleIdentificationNumber: [...receptacles] }] },
          ],
        }),
      },
    },
  };
}

function makeTransport(
  { random, kind, mode, carrier, times }: Journey,
  masters: readonly Document[],
  houses: readonly Document[],
): JourneyMessage {
  const { office, typeOfMeans, identify } = journeyKinds[kind];
  const { identificationNumber, conveyanceReferenceNumber, countryCode } = identify(random);
  const communication = [{ identifier: '+4700000000', type: 'TE' }];
  return {
    level: 'transport',
    message: {
      documentIssueDate: times.issued,
      activeBorderTransportMeans: {
        identificationNumber,
        typeOfIdentification: modes[mode].typeOfIdentification,
        modeOfTransportCode: modes[mode].modeOfTransportCode,
        typeOfMeansOfTransport: typeOfMeans,
        ...(conveyanceReferenceNumber !== undefined && { conveyanceReferenceNumber }),
        countryCode,
        operator: { name: `${random.pick(firstNames)} ${random.pick(lastNames)}`, communication },
      },
      carrier: {
        name: `Carrier ${carrier}`,
        identificationNumber: carrier,
        address: { city: 'Oslo', country: 'NO' },
        communication,
      },
      customsOfficeOfFirstEntry: { referenceNumber: office },
      estimatedDateAndTimeOfArrival: times.arrives,
      scheduledDateAndTimeOfArrival: times.arrives,
      ...(masters.length > 0 && {
        consignmentMasterLevel: masters.map((document) => ({
          transportDocumentMasterLevel: document,
        })),
      }),
      ...(houses.length > 0 && {
        consignmentHouseLevel: houses.map((document) => ({
          transportDocumentHouseLevel: document,
        })),
      }),
    },
  };
}

const firstNames = ['Kim', 'Robin', 'Alex', 'Noor', 'Sam'] as const;
const lastNames = ['Berg', 'Dahl', 'Lund', 'Holm', 'Vik'] as const;
const trades = ['Furniture', 'Textiles', 'Machines', 'Foods', 'Toys', 'Tools'] as const;
const cities = { CN: 'Guangzhou', DE: 'Hamburg', NO: 'Oslo', SE: 'Karlstad' } as const;

function makeParty(random: Random, country: keyof typeof cities) {
  return {
    name: `${random.pick(trades)} ${random.digits(3)}`,
    typeOfPerson: '2',
    address: {
      city: cities[country],
      country,
      postcode: random.digits(4),
      streetLine: `Harbour street ${random.integer(1, 99)}`,
    },
  };
}

/** Kilograms with one decimal. */
const mass = (random: Random, max: number) => random.integer(1, max * 10) / 10;
