// A day at a ferry quay: lorries, trailers without a lorry, and containers come with each call of a ferry.
import { container, padded, shipNumber } from '../identifiers.js';
import { pickByRank, pickByWeight, skewedInteger } from '../random-shares.js';
import type { ArrivingDeclaration, ArrivingHouse, Site } from './site.js';

/** The calls of a day, each with its customs office; one ferry for each. */
const calls = [
  { minute: 6 * 60 + 30, office: 'NO364002' },
  { minute: 7 * 60 + 30, office: 'NO365003' },
  { minute: 9 * 60 + 45, office: 'NO365003' },
  { minute: 12 * 60 + 15, office: 'NO364001' },
  { minute: 13 * 60 + 30, office: 'NO361001' },
  { minute: 16 * 60 + 45, office: 'NO364002' },
  { minute: 18 * 60, office: 'NO364001' },
  { minute: 20 * 60 + 15, office: 'NO361001' },
] as const;

/** What a unit on the car deck is. */
const pickUnit = pickByWeight([
  ['lorry', 50],
  ['trailer', 38],
  ['container', 12],
] as const);

/** Share of the units with one house consignment. */
const FULL_LOAD = 0.6;

export const ferryQuay: Site = {
  description: 'a day at a ferry quay: lorries, trailers and containers of eight calls',
  usualDay: 2_500,
  hours: [0, 0, 0, 0, 0, 3, 14, 16, 9, 8, 2, 5, 8, 9, 2, 3, 11, 6, 6, 4, 7, 0, 0, 0],
  timetable: calls.map(({ minute }) => minute),
  chapters: {
    '07': 7,
    '08': 6,
    '16': 3,
    '22': 6,
    '39': 8,
    '44': 5,
    '48': 4,
    '72': 5,
    '73': 6,
    '84': 12,
    '85': 8,
    '87': 10,
    '94': 8,
  },
  decidedInAdvance: 0.55,
  controlled: 0.05,
  open(random, parties, serials) {
    const lines = parties.identify('ferry-line', 2);
    const hauliers = parties.identify('haulier', 4);
    const [terminal = ''] = parties.identify('terminal', 1);
    const pickHaulier = pickByRank([
      ...hauliers,
      ...parties.foreign(40, ['SE', 'DK', 'DE', 'PL', 'LT', 'NL']),
    ]);
    const pickBroker = pickByRank(parties.domestic(8));
    const ships = calls.map(() => shipNumber(random));

    return function* arrive({ minute }): Generator<ArrivingDeclaration> {
      const index = Math.max(
        0,
        calls.findIndex((call) => call.minute >= minute),
      );
      const line = lines[index % lines.length] ?? '';
      const unit = pickUnit(random);
      const haulier = pickHaulier(random);
      const count = random.chance(FULL_LOAD) ? 1 : skewedInteger(random, 2, 40, 2);
      const box = unit === 'container' ? container(random) : undefined;
      const master = `FL${index % lines.length}${padded(serials.next(), 7)}`;
      const houseConsignments = Array.from({ length: count }, (): ArrivingHouse => {
        const serial = padded(serials.next(), 8);
        return {
          transportDocumentHouseLevel:
            box === undefined
              ? { documentNumber: `CMR${serial}`, type: 'N730' }
              : { documentNumber: `HBL${serial}`, type: 'N714' },
          // The ferry line issues a bill of lading for each trailer and container, not for a lorry with its driver.
          ...(unit !== 'lorry' && {
            transportDocumentMasterLevel: { documentNumber: master, type: 'N704' },
          }),
          ...(box !== undefined && { containerId: [box] }),
        };
      });
      yield {
        customsOfficeOfFirstEntry: calls[index]?.office ?? 'NO365003',
        declarant: random.chance(0.7) ? haulier : line,
        carrier: line,
        ...(random.chance(0.35) && { representative: pickBroker(random) }),
        // A driver presents the own lorry; the terminal presents what has no driver.
        presenters: [unit === 'lorry' ? haulier : terminal],
        activeBorderTransportMeans: {
          identificationNumber: ships[index] ?? shipNumber(random),
          typeOfIdentification: '10',
        },
        houseConsignments,
      };
    };
  },
};
