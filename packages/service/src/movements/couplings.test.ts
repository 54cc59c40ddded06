// What a transport reaches: by equal texts among current messages of one mode, in whatever order they were lodged.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`couplings on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
    });
    after(() => playground.close());

    /** The documents of the house consignments that a transport reaches, each with that of its master consignment. */
    const reached = async (mrn: string, expectedOnly = false): Promise<string[]> => {
      const rows = await database.query<{ house: string; master: string | null }>({
        name: '',
        text: `
          select house.document_number as house, master.document_number as master
          from declaration t
          cross join lateral houses_of_transport(t.id, $2) r
          join movement house on house.declaration_id = r.id
          left join movement master on master.declaration_id = r.master
          where t.mrn = $1`,
        values: [mrn, expectedOnly],
      });
      return rows.map(({ house, master }) => `${house} ${master ?? 'direct'}`).sort();
    };
    /** The transports that reach a house consignment. */
    const transportsOf = async (mrn: string): Promise<string[]> => {
      const rows = await database.query<{ mrn: string }>({
        name: '',
        text: `
          select t.mrn from declaration h
          cross join lateral transports_of_house(h.id, false) r join declaration t on t.id = r.id
          where h.mrn = $1`,
        values: [mrn],
      });
      return rows.map((row) => row.mrn);
    };

    test('every order of lodging ends in the same couplings, seen from above and from below', async () => {
      let runs = 0;
      const lodgeInOrder = async (order: number[]) => {
        const run = runs++;
        const own = (text: string) => `${text}-${run}`;
        const messages = [
          [
            'transport',
            transportMessage(own('AB'), { masters: [own('M1'), own('M2')], houses: [own('D')] }),
          ],
          ['master-consignment', masterMessage(own('M1'))],
          ['master-consignment', masterMessage(own('M2'), { receptacles: [own('R')] })],
          ['house-consignment', houseMessage(own('H1'), { master: own('M1') })],
          ['house-consignment', houseMessage(own('H2'), { receptacle: own('R') })],
          ['house-consignment', houseMessage(own('D'), { isDirect: true })],
        ] as const;
        const mrns: string[] = [];
        for (const index of order) {
          const [level, message] = messages[index] ?? assert.fail();
          mrns[index] = await movements.lodge(level, message);
        }
        const [transport = '', , , ...houses] = mrns;
        assert.deepEqual(await reached(transport), [
          `${own('D')} direct`,
          `${own('H1')} ${own('M1')}`,
          `${own('H2')} ${own('M2')}`,
        ]);
        for (const mrn of houses) assert.deepEqual(await transportsOf(mrn), [transport]);
      };
      const all = [0, 1, 2, 3, 4, 5];
      const orders = fc.shuffledSubarray(all, { minLength: all.length });
      await fc.assert(fc.asyncProperty(orders, lodgeInOrder), { numRuns: 6 });
    });

    test('nothing couples by another spelling, carrier, mode, or after it was cancelled', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('CD1', { masters: ['N1', 'N2', 'N3'], houses: ['N4'] }),
      );
      await movements.lodge('master-consignment', masterMessage('n1'));
      await movements.lodge('house-consignment', houseMessage('NH1', { master: 'n1' }));
      const other = 'NO777777777';
      await movements.lodge('master-consignment', masterMessage('N2', { carrier: other }));
      await movements.lodge(
        'house-consignment',
        houseMessage('NH2', { master: 'N2', carrier: other }),
      );
      const byRail = new TestMovements(playground, 'rail');
      await byRail.lodge('master-consignment', masterMessage('N3'), 'carrier');
      await byRail.lodge('house-consignment', houseMessage('NH3', { master: 'N3' }), 'carrier');
      // It hangs on a master consignment, not directly on the transport.
      await movements.lodge('house-consignment', houseMessage('N4', { master: 'N9' }));
      assert.deepEqual(await reached(transport), []);

      const master = await movements.lodge('master-consignment', masterMessage('N1'));
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('NH4', { master: 'N1' }),
      );
      assert.deepEqual(await reached(transport), ['NH4 N1']);
      assert.deepEqual(await transportsOf(house), [transport]);
      await movements.cancel('master-consignment', master);
      assert.deepEqual(await reached(transport), []);
      assert.deepEqual(await transportsOf(house), []);
    });

    test('a replacement couples by what it names now', async () => {
      const named = (masters: string[]) => transportMessage('EF1', { masters });
      const transport = await movements.lodge('transport', named(['P1', 'P2']));
      for (const number of ['1', '2', '3']) {
        await movements.lodge('master-consignment', masterMessage(`P${number}`));
        const house = houseMessage(`PH${number}`, { master: `P${number}` });
        await movements.lodge('house-consignment', house);
      }
      assert.deepEqual(await reached(transport), ['PH1 P1', 'PH2 P2']);
      const scheduled = await playground.get(
        `/api/movement/road/v2/transport/${transport}`,
        'forwarder',
      );
      const { message } = scheduled.body as { message: object };
      const { consignmentMasterLevel } = named(['P3', 'P1']);
      await movements.replace('transport', transport, { ...message, consignmentMasterLevel });
      assert.deepEqual(await reached(transport), ['PH1 P1', 'PH3 P3']);
    });

    test('where only expected parties present, whoever couples is the carrier or a party below', async () => {
      const carrierOf = playground.credentials('haulier').organisation.replace('0192:', 'NO');
      const lodgeUnder = async (key: string, as: string, carrier: string) => {
        const transport = await movements.lodge(
          'transport',
          transportMessage(`GH${key}`, { masters: [`Q${key}`], carrier }),
          as,
        );
        await movements.lodge(
          'master-consignment',
          masterMessage(`Q${key}`, { carrier }),
          'forwarder',
        );
        const house = houseMessage(`QH${key}`, { master: `Q${key}`, carrier });
        await movements.lodge('house-consignment', house, 'forwarder');
        return transport;
      };
      const byCarrier = await lodgeUnder('1', 'haulier', carrierOf);
      const byForwarder = await lodgeUnder('2', 'forwarder', 'NO888888888');
      const byStranger = await lodgeUnder('3', 'haulier', 'NO888888888');
      assert.deepEqual(await reached(byCarrier, true), ['QH1 Q1']);
      assert.deepEqual(await reached(byForwarder, true), ['QH2 Q2']);
      assert.deepEqual(await reached(byStranger, true), []);
      assert.deepEqual(await reached(byStranger, false), ['QH3 Q3']);
    });
  });
}
