// A day at an airport: freighters at night, passenger flights by day, express freight before the morning.
import { airWaybill, padded } from '../identifiers.js';
import { pickByRank, pickByWeight, skewedInteger } from '../random-shares.js';
import type { ArrivingDeclaration, ArrivingHouse, Site } from './site.js';

/** Gardermoen, and the airports to which its flights are distributed. */
const pickOffice = pickByWeight([
  ['NO351001', 88],
  ['NO343001', 5],
  ['NO345002', 4],
  ['NO333001', 3],
]);

const flightCodes = ['DY', 'EK', 'ET', 'LH', 'QR', 'SK', 'TK', 'WF'] as const;

/** Share of the master waybills of an airline that have no house consignments below them. */
const DIRECT = 0.3;

export const airport: Site = {
  description: 'a day at an airport: express freight, freighters and passenger flights',
  usualDay: 8_000,
  hours: [6, 5, 6, 9, 12, 10, 7, 4, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 8, 9, 8, 7],
  chapters: {
    '03': 4,
    '06': 6,
    '30': 8,
    '61': 6,
    '62': 6,
    '64': 4,
    '73': 3,
    '84': 16,
    '85': 20,
    '88': 4,
    '90': 12,
  },
  decidedInAdvance: 0.7,
  controlled: 0.03,
  open(random, parties, serials) {
    const pickHandler = pickByRank(parties.identify('handler', 3));
    const [integrator = ''] = parties.identify('integrator', 1, 'foreign');
    const agents = parties.identify('agent', 2);
    const pickForwarder = pickByRank([...agents, ...parties.domestic(25)]);
    const pickBroker = pickByRank(parties.domestic(5));
    const pickAirline = pickByRank(parties.foreign(10, ['DE', 'TR', 'GB', 'SE']));

    const house = (
      documentNumber: string,
      type: 'N703' | 'N740',
      master?: string,
    ): ArrivingHouse => ({
      transportDocumentHouseLevel: { documentNumber, type },
      ...(master !== undefined && {
        transportDocumentMasterLevel: { documentNumber: master, type: 'N741' },
      }),
    });
    const houses = (count: number, prefix: string, master: string) =>
      Array.from({ length: count }, () =>
        house(`${prefix}${padded(serials.next(), 8)}`, 'N703', master),
      );
    const masterNumber = () => airWaybill(random, serials.next());

    return function* arrive({ minute }): Generator<ArrivingDeclaration> {
      const hour = Math.floor(minute / 60);
      const flight = {
        customsOfficeOfFirstEntry: pickOffice(random),
        activeBorderTransportMeans: {
          identificationNumber: `${random.pick(flightCodes)}${random.integer(100, 9999)}`,
          typeOfIdentification: '40',
        },
      };
      if (hour >= 2 && hour < 7 && random.chance(0.15)) {
        // The integrator lodges, carries and presents its own express freight.
        const count = skewedInteger(random, 100, 700, 2);
        yield {
          ...flight,
          declarant: integrator,
          carrier: integrator,
          presenters: [integrator],
          houseConsignments: houses(count, 'EXP', masterNumber()),
        };
        return;
      }
      const carrier = pickAirline(random);
      const handler = pickHandler(random);
      const isFreighter = hour >= 20 || hour < 7;
      const masters = isFreighter ? random.integer(10, 35) : random.integer(2, 10);
      for (let made = 0; made < masters; made++) {
        const number = masterNumber();
        if (random.chance(DIRECT)) {
          yield {
            ...flight,
            declarant: carrier,
            carrier,
            presenters: [handler],
            houseConsignments: [house(number, 'N740')],
          };
          continue;
        }
        const declarant = pickForwarder(random);
        yield {
          ...flight,
          declarant,
          carrier,
          ...(random.chance(0.15) && { representative: pickBroker(random) }),
          // Some forwarders have a warehouse of their own.
          presenters: [agents.includes(declarant) ? declarant : handler],
          houseConsignments: houses(skewedInteger(random, 2, 40, 2.5), 'OSL', number),
        };
      }
    };
  },
};
