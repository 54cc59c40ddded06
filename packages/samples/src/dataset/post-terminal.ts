// A day at a post terminal: despatches by air, receptacles with up to thousands of parcels, parcels of online shops.
import { airWaybill, padded, postalItemOf, receptacle } from '../identifiers.js';
import { pickByRank, pickByWeight, skewedInteger } from '../random-shares.js';
import type { ArrivingDeclaration, ArrivingHouse, Site } from './site.js';

/** Offices of exchange (IMPC codes), the largest first. */
const pickOrigin = pickByRank([
  'CNCANA',
  'CNSHAA',
  'HKHKGA',
  'GBLALA',
  'CNBJSA',
  'USJFKA',
  'SGSINA',
  'JPKWSA',
]);

const pickOffice = pickByWeight([
  ['NO351001', 92],
  ['NO343001', 8],
]);

/** Documents of postal items: as a movement by post, or with a customs declaration CN22 or CN23. */
const pickType = pickByWeight([
  ['N750', 88],
  ['C664', 7],
  ['C665', 5],
] as const);

/** Share of the despatches that consist of a few pallets with the parcels of one shop. */
const BULK = 0.12;

export const postTerminal: Site = {
  description: 'a day at a post terminal: despatches by air, receptacles of up to thousands',
  usualDay: 40_000,
  hours: [2, 3, 6, 9, 11, 10, 8, 6, 4, 3, 3, 4, 5, 6, 5, 4, 3, 3, 4, 5, 5, 4, 3, 2],
  chapters: {
    '33': 5,
    '39': 8,
    '42': 9,
    '61': 18,
    '62': 16,
    '64': 10,
    '71': 5,
    '85': 18,
    '94': 5,
    '95': 14,
  },
  decidedInAdvance: 0.85,
  controlled: 0.015,
  open(random, parties, serials) {
    const [operator = ''] = parties.identify('post-operator', 1);
    const pickHandler = pickByRank(parties.identify('handler', 2));
    const shops = parties.foreign(8, ['CN', 'HK', 'IE', 'LU']);
    const pickDeclarant = pickByRank([operator, ...shops]);
    const pickAirline = pickByRank(parties.foreign(5, ['TR', 'DE', 'QA']));
    let despatch = random.integer(0, 9999);

    /** The parcels of one receptacle. */
    function* fill(
      origin: string,
      receptacleId: string,
      master: string,
      count: number,
    ): Generator<ArrivingHouse> {
      for (let made = 0; made < count; made++) {
        yield {
          transportDocumentHouseLevel: {
            documentNumber: postalItemOf(random, serials.next(), origin.slice(0, 2)),
            type: pickType(random),
          },
          transportDocumentMasterLevel: { documentNumber: master, type: 'N741' },
          receptacleId,
        };
      }
    }

    return function* arrive({ left }): Generator<ArrivingDeclaration> {
      const origin = pickOrigin(random);
      despatch = (despatch % 9999) + 1;
      const isBulk = random.chance(BULK);
      const receptacles = isBulk ? random.integer(1, 2) : random.integer(2, 14);
      const master = airWaybill(random, serials.next());
      const houseConsignments: ArrivingHouse[] = [];
      for (let number = 1; number <= receptacles && houseConsignments.length < left; number++) {
        const count = isBulk
          ? skewedInteger(random, 400, 4000, 1.5)
          : skewedInteger(random, 15, 180, 1.5);
        const weight = Math.min(9999, Math.ceil(count * (1 + random.fraction() * 3)));
        const receptacleId = receptacle({ origin, despatch }, number, weight);
        houseConsignments.push(
          ...fill(origin, receptacleId, master, Math.min(count, left - houseConsignments.length)),
        );
      }
      yield {
        customsOfficeOfFirstEntry: pickOffice(random),
        declarant: pickDeclarant(random),
        carrier: pickAirline(random),
        // Handling agents take the pallets of shops, the postal operator everything else.
        presenters: [isBulk ? pickHandler(random) : operator],
        activeBorderTransportMeans: {
          identificationNumber: `${random.pick(['TK', 'QR', 'SK', 'CA'])}${padded(random.integer(1, 9999), 4)}`,
          typeOfIdentification: '40',
        },
        houseConsignments,
      };
    };
  },
};
