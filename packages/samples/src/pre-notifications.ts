// Pre-notifications for trials and load: entry summary declarations of a day's air freight, post and sea freight.
import {
  type EntrySummaryDeclaration,
  type HouseConsignmentLine,
  nationalCustomsOffices,
  type PreNotifiedHouseConsignment,
} from '@landfall/contract';
import { type Subheading, subheadings } from './goods-items/subheadings.js';
import {
  airWaybill,
  container,
  organisationNumber,
  padded,
  postalDespatch,
  postalItem,
  receptacle,
  shipNumber,
} from './identifiers.js';
import { makeRandom, type Random } from './random.js';

/** The pre-notifications to generate. */
export type PreNotificationOptions = {
  /** Number of entry summary declarations. */
  ens: number;
  /** Total number of house consignments, distributed over the declarations. */
  houses: number;
  /** Integer; the same seed gives the same data. */
  seed: number;
};

/** The day of all arrivals. */
const DAY = Date.UTC(2026, 0, 15);

/** Number of organisations that lodge declarations. */
const DECLARANTS = 40;

/** Share of the house consignments that are decided in advance, and share of these that go to control. */
const DECIDED = 0.4;
const CONTROLLED = 0.06;

/** Share of the declarations with subheadings. */
const WITH_GOODS = 0.8;

/** Maximum number of subheadings of one house consignment. */
const MAX_KINDS = 8;

/**
 * Generates entry summary declarations one by one, so that memory use does not depend on their number: air waybills,
 * postal items in receptacles, and bills of lading with containers, with valid check digits.
 *
 * @example
 * const [first] = generatePreNotifications({ ens: 1, houses: 10, seed: 7 });
 */
export function* generatePreNotifications({
  ens,
  houses,
  seed,
}: PreNotificationOptions): Generator<EntrySummaryDeclaration> {
  const random = makeRandom(seed);
  // Subheadings have a separate generator, so that all other data is the same with and without them.
  const goods = makeRandom(~seed);
  const declarants = Array.from({ length: DECLARANTS }, () => `0192:${organisationNumber(random)}`);
  // Identifies the run; it is part of every MRN.
  const run = Array.from({ length: 6 }, () => random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ'])).join('');
  const serials = { next: random.integer(0, 9_999_999) };
  let left = houses;
  for (let number = 0; number < ens; number++) {
    const share = Math.round((left / (ens - number)) * (0.5 + random.fraction()));
    const count = number === ens - 1 ? left : Math.min(left, share);
    left -= count;
    const mode = random.pick([air, air, air, post, post, sea] as const);
    const declaration: EntrySummaryDeclaration = {
      mrn: `26NO${run}${padded(number, 8)}`,
      declarant: random.pick(declarants),
      ...(random.chance(0.3) && { representative: random.pick(declarants) }),
      estimatedTimeOfArrival: new Date(DAY + random.integer(0, 1439) * 60_000).toISOString(),
      ...mode(random, count, serials),
    };
    yield goods.chance(WITH_GOODS) ? addGoods(goods, declaration) : declaration;
  }
}

/**
 * Generates the same data as lines of an upload: each declaration with an empty list, then one line for each of its house
 * consignments. Each line ends with a line break.
 */
export function* generatePreNotificationLines(options: PreNotificationOptions): Generator<string> {
  for (const { houseConsignments, ...declaration } of generatePreNotifications(options)) {
    yield `${JSON.stringify({ ...declaration, houseConsignments: [] })}\n`;
    const { mrn } = declaration;
    for (const houseConsignment of houseConsignments) {
      const line: HouseConsignmentLine = { mrn, houseConsignment };
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

type Serials = { next: number };

/** The members of a declaration that depend on the mode of transport. */
type Transport = Pick<
  EntrySummaryDeclaration,
  'customsOfficeOfFirstEntry' | 'activeBorderTransportMeans' | 'houseConsignments'
>;

const airports = nationalCustomsOffices.filter(({ name }) => /airport|Gardermoen/.test(name));
const harbours = nationalCustomsOffices.filter(({ name }) =>
  /Hjortnes|Larvik|Langesund|Kristiansand$|Bergen$|Stavanger$|Drammen/.test(name),
);

/** Serial numbers are consecutive, so that they are unique; those of seven digits repeat after ten million. */
function nextSerial(serials: Serials): number {
  serials.next = (serials.next + 1) % 10_000_000;
  return serials.next;
}

function air(random: Random, count: number, serials: Serials): Transport {
  const master = { documentNumber: airWaybill(random, nextSerial(serials)), type: 'N741' as const };
  const forwarder = random.pick(['BGO', 'KNO', 'OSL', 'SVG', 'TRD'] as const);
  return {
    customsOfficeOfFirstEntry: random.pick(airports).referenceNumber,
    activeBorderTransportMeans: {
      identificationNumber: `${random.pick(['DY', 'EK', 'QR', 'SK', 'TK'] as const)}${random.integer(100, 9999)}`,
      typeOfIdentification: '40',
    },
    houseConsignments: Array.from({ length: count }, () =>
      random.chance(0.1)
        ? // Goods without a forwarder have a waybill of the airline.
          house(random, airWaybill(random, nextSerial(serials)), 'N740')
        : house(random, `${forwarder}${padded(nextSerial(serials), 8)}`, 'N703', {
            transportDocumentMasterLevel: master,
          }),
    ),
  };
}

/** Postal items in one receptacle. */
const ITEMS_PER_RECEPTACLE = 40;

function post(random: Random, count: number, serials: Serials): Transport {
  const despatch = postalDespatch(random);
  const weights = Array.from({ length: Math.ceil(count / ITEMS_PER_RECEPTACLE) }, () =>
    random.integer(20, 300),
  );
  return {
    customsOfficeOfFirstEntry: random.pick(airports).referenceNumber,
    houseConsignments: Array.from({ length: count }, (_, index) => {
      const number = Math.floor(index / ITEMS_PER_RECEPTACLE);
      return house(random, postalItem(random, nextSerial(serials)), 'N750', {
        receptacleId: receptacle(despatch, (number % 999) + 1, weights[number] ?? 0),
      });
    }),
  };
}

/** House consignments in one container. */
const HOUSES_PER_CONTAINER = 10;

function sea(random: Random, count: number, serials: Serials): Transport {
  const line = random.pick(['CMDU', 'HLCU', 'MAEU', 'MEDU', 'ONEY'] as const);
  const master = { documentNumber: `${line}${random.digits(9)}`, type: 'N704' as const };
  const containers = Array.from({ length: Math.ceil(count / HOUSES_PER_CONTAINER) }, () =>
    container(random),
  );
  return {
    customsOfficeOfFirstEntry: random.pick(harbours).referenceNumber,
    activeBorderTransportMeans: {
      identificationNumber: shipNumber(random),
      typeOfIdentification: '10',
    },
    houseConsignments: Array.from({ length: count }, (_, index) =>
      house(random, `${line}H${padded(nextSerial(serials), 8)}`, 'N714', {
        transportDocumentMasterLevel: master,
        containerId: [containers[Math.floor(index / HOUSES_PER_CONTAINER)] ?? container(random)],
      }),
    ),
  };
}

function house(
  random: Random,
  documentNumber: string,
  type: PreNotifiedHouseConsignment['transportDocumentHouseLevel']['type'],
  more: Omit<PreNotifiedHouseConsignment, 'transportDocumentHouseLevel'> = {},
): PreNotifiedHouseConsignment {
  const decided = random.fraction();
  return {
    transportDocumentHouseLevel: { documentNumber, type },
    ...more,
    ...(decided < DECIDED &&
      (decided < DECIDED * CONTROLLED
        ? { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }
        : { routing: 'TO_ENTRY' })),
  };
}

/** Subheadings of goods with at least this price, in NOK per kilogram, and at most this mass, in kilograms per piece. */
function goodsOf(minPrice: number, maxMass: number): string[] {
  const fits = ({ price, unitMass = 0 }: Subheading) => price >= minPrice && unitMass <= maxMass;
  return subheadings.filter(fits).map(({ code }) => code);
}

const seaFreight = goodsOf(0, 50_000);
const airFreight = goodsOf(60, 5_000);
/** Live animals have no mass in the table, and are excluded. */
const postalGoods = goodsOf(60, 20).filter((code) => !code.startsWith('01'));

/** Adds subheadings to each house consignment. */
function addGoods(random: Random, declaration: EntrySummaryDeclaration): EntrySummaryDeclaration {
  return {
    ...declaration,
    houseConsignments: declaration.houseConsignments.map((consignment) => ({
      ...consignment,
      harmonizedSystemSubheadingCode: pickGoods(random, consignment),
    })),
  };
}

/** Picks one or a few subheadings. */
function pickGoods(
  random: Random,
  { transportDocumentHouseLevel: { type } }: PreNotifiedHouseConsignment,
): string[] {
  const goods = type === 'N750' ? postalGoods : type === 'N714' ? seaFreight : airFreight;
  const kinds = 1 + Math.floor(MAX_KINDS * random.fraction() ** 3);
  return [...new Set(Array.from({ length: kinds }, () => random.pick(goods)))];
}
