// A day at a road border: lorries with a full load or groupage, most in the early morning and the afternoon.
import { padded, vehicleRegistration } from '../identifiers.js';
import { pickByRank, pickByWeight, skewedInteger } from '../random-shares.js';
import type { ArrivingDeclaration, ArrivingHouse, Site } from './site.js';

/** Svinesund, and the crossings to which traffic is diverted. */
const pickOffice = pickByWeight([
  ['NO371001', 66],
  ['NO372001', 22],
  ['NO373001', 7],
  ['NO374001', 5],
]);

const pickCountry = pickByWeight([
  ['SE', 34],
  ['PL', 20],
  ['LT', 16],
  ['NO', 12],
  ['DE', 10],
  ['DK', 8],
] as const);

/** How the goods of a lorry are documented. */
const pickLoad = pickByWeight([
  ['full', 62],
  ['groupage', 32],
  ['multimodal', 6],
] as const);

export const roadBorder: Site = {
  description: 'a day at a road border: lorries with full loads and groupage',
  usualDay: 5_000,
  hours: [3, 3, 4, 7, 10, 12, 11, 8, 6, 5, 5, 5, 6, 7, 9, 10, 9, 7, 6, 5, 4, 4, 3, 3],
  chapters: {
    '02': 2,
    '04': 4,
    '07': 8,
    '08': 6,
    '19': 4,
    '22': 5,
    '25': 3,
    '39': 8,
    '44': 8,
    '48': 5,
    '73': 8,
    '84': 10,
    '85': 6,
    '87': 7,
    '94': 8,
  },
  decidedInAdvance: 0.45,
  controlled: 0.05,
  open(random, parties, serials) {
    const hauliers = parties.identify('haulier', 4);
    const pickAgent = pickByRank(parties.identify('border-agent', 2));
    const pickHaulier = pickByRank([
      ...hauliers,
      ...parties.foreign(60, ['SE', 'PL', 'LT', 'DE', 'DK']),
    ]);
    const pickForwarder = pickByRank(parties.domestic(15));

    return function* arrive(): Generator<ArrivingDeclaration> {
      const haulier = pickHaulier(random);
      const load = pickLoad(random);
      const count = load === 'full' ? 1 : skewedInteger(random, 2, 60, 2.5);
      const master = `CMR${padded(serials.next(), 8)}`;
      const houseConsignments = Array.from({ length: count }, (): ArrivingHouse => {
        if (load === 'full')
          return { transportDocumentHouseLevel: { documentNumber: master, type: 'N730' } };
        return {
          transportDocumentHouseLevel: {
            documentNumber: `GRP${padded(serials.next(), 8)}`,
            type: load === 'groupage' ? 'N703' : 'N760',
          },
          transportDocumentMasterLevel: { documentNumber: master, type: 'N730' },
        };
      });
      yield {
        customsOfficeOfFirstEntry: pickOffice(random),
        declarant: load === 'full' ? haulier : pickForwarder(random),
        carrier: haulier,
        ...(random.chance(0.4) && { representative: pickAgent(random) }),
        // Hauliers with an integration present themselves, others through an agent at the border.
        presenters: [hauliers.includes(haulier) ? haulier : pickAgent(random)],
        activeBorderTransportMeans: {
          identificationNumber: vehicleRegistration(random, pickCountry(random)),
          // CL219: 30 is a lorry, 31 a trailer that crosses the border with a lorry that is declared elsewhere.
          typeOfIdentification: random.chance(0.92) ? '30' : '31',
        },
        houseConsignments,
      };
    };
  },
};
