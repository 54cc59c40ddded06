// Queries of what couples: trees with weights, statuses of documents, who may ask, and a tree that equals a model for random journeys.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ModeName, modes } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  CARRIER,
  houseMessage,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const incomplete = { importProcedure: undefined };
const NO_MRN = '26NO000000000000T0';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`queries of movement messages on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
    });
    after(() => playground.close());

    const address = (path: string, mode: ModeName = 'road') =>
      `/api/movement/${mode}/status/${modes[mode].version}/${path}`;
    /** What a query responds; its response was compared with openapi.json. */
    const query = async (path: string, as = 'forwarder', mode: ModeName = 'road') => {
      const response = await playground.get(address(path, mode), as);
      assert.equal(response.status, 200, response.text);
      return response.body;
    };
    const refuse = async (path: string, status: number, as = 'forwarder') => {
      const response = await playground.get(address(path), as);
      assert.equal(response.status, status, response.text);
      // Safe cast: the response was compared with openapi.json.
      return response.body as {
        detail: string;
        validationErrors?: { field: string; code: string }[];
      };
    };
    const house = (number: string, status = 'SUCCESS', weight = 800) => ({
      ...roadDocument(number),
      weight,
      status,
    });
    const reasons = ['INCOMPLETE_DOCUMENTATION'];
    const received = (number: string, isComplete = true) => ({
      ...roadDocument(number),
      received: true,
      documentStatus: isComplete ? 'SUCCESS' : 'INCOMPLETE',
      ...(!isComplete && { incompleteDocumentationReasonList: reasons }),
    });
    const missing = (number: string) => ({
      ...roadDocument(number),
      received: false,
      documentStatus: 'INCOMPLETE',
    });

    test('a tree has what a transport names in its order, with weights and statuses, and what is not lodged', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('TR1', {
          masters: ['M2', 'M9', 'M1', 'M2', 'M9'],
          houses: ['D2', 'D9', 'D1'],
        }),
      );
      const first = await movements.lodge('master-consignment', masterMessage('M1'));
      await movements.lodge('master-consignment', masterMessage('M2', { grossMass: 0.25 }));
      const message = houseMessage('H2', { master: 'M1', totalGrossMass: 0.000001, ...incomplete });
      const second = await movements.lodge('house-consignment', message);
      await movements.lodge('house-consignment', houseMessage('H1', { master: 'M1' }));
      await movements.lodge('house-consignment', houseMessage('D1', { isDirect: true }));
      await movements.lodge(
        'house-consignment',
        houseMessage('D2', { isDirect: true, ...incomplete }),
      );
      const masterTree = {
        ...roadDocument('M1'),
        weight: 1200.5,
        received: true,
        sumOfWeightForHouseConsignments: 800.000001,
        houseConsignments: [house('H2', 'INCOMPLETE', 0.000001), house('H1')],
      };
      assert.deepEqual(await query(`transport/${transport}/status-with-descendants`), {
        sumOfWeightForMasterConsignments: 1200.75,
        sumOfWeightForHouseConsignments: 2400.000001,
        masterConsignments: [
          {
            ...roadDocument('M2'),
            weight: 0.25,
            received: true,
            sumOfWeightForHouseConsignments: 0,
            houseConsignments: [],
          },
          {
            ...roadDocument('M9'),
            received: false,
            sumOfWeightForHouseConsignments: 0,
            houseConsignments: [],
          },
          masterTree,
        ],
        houseConsignments: [
          house('D2', 'INCOMPLETE'),
          { ...roadDocument('D9'), status: 'INCOMPLETE' },
          house('D1'),
        ],
      });
      assert.deepEqual(
        await query(`master-consignment/${first}/status-with-descendants`),
        masterTree,
      );

      const ofTransport = `transport/${transport}`;
      assert.deepEqual(await query(`${ofTransport}/master-consignment/transport-document/status`), [
        received('M2'),
        missing('M9'),
        { ...roadDocument('M1'), received: true, documentStatus: 'INCOMPLETE' },
      ]);
      assert.deepEqual(await query(`${ofTransport}/house-consignment/transport-document/status`), [
        received('H2', false),
        received('H1'),
        received('D2', false),
        missing('D9'),
        received('D1'),
      ]);
      const houses = [received('H2', false), received('H1')];
      assert.deepEqual(
        await query(`master-consignment/${first}/transport-document/status`),
        houses,
      );
      const byDocument = (number: string) =>
        `transport-document/status?documentNumber=${number}&type=N730&carrierId=${CARRIER}`;
      assert.deepEqual(await query(`master-consignment/${byDocument('M1')}`), houses);
      const one = `house-consignment/${second}/transport-document/status`;
      assert.deepEqual(await query(one), received('H2', false));
      assert.deepEqual(await query(`house-consignment/${byDocument('H2')}`), received('H2', false));

      await movements.replace('house-consignment', second, houseMessage('H2', { master: 'M1' }));
      assert.deepEqual(await query(one), received('H2'));
      assert.deepEqual(await query(`master-consignment/${first}/transport-document/status`), [
        received('H2'),
        received('H1'),
      ]);
    });

    test('a transport that names nothing has no direct consignments, and a document below a master is no missing one', async () => {
      const empty = await movements.lodge('transport', transportMessage('EM1'));
      assert.deepEqual(await query(`transport/${empty}/status-with-descendants`), {
        sumOfWeightForMasterConsignments: 0,
        sumOfWeightForHouseConsignments: 0,
        masterConsignments: [],
      });
      const named = {
        ...transportMessage('EM2'),
        consignmentMasterLevel: [
          {
            transportDocumentMasterLevel: roadDocument('EM'),
            consignmentHouseLevel: [{ transportDocumentHouseLevel: roadDocument('EH') }],
          },
        ],
      };
      const transport = await movements.lodge('transport', named);
      const list = `transport/${transport}/house-consignment/transport-document/status`;
      assert.deepEqual(await query(list), [missing('EH')]);
      await movements.lodge('master-consignment', masterMessage('EM'));
      await movements.lodge('house-consignment', houseMessage('EH', { master: 'EM' }));
      assert.deepEqual(await query(list), [received('EH')]);
    });

    test('a house consignment under two masters is under each, and counts once', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('TW1', { masters: ['W1', 'W2'] }),
      );
      const receptacles = ['WR', 'WR'];
      const mrn = await movements.lodge('master-consignment', masterMessage('W1', { receptacles }));
      await movements.lodge('master-consignment', masterMessage('W2', { receptacles: ['WR'] }));
      await movements.lodge('house-consignment', houseMessage('WH', { receptacle: 'WR' }));
      const under = (number: string) => ({
        ...roadDocument(number),
        weight: 1200.5,
        received: true,
        sumOfWeightForHouseConsignments: 800,
        houseConsignments: [house('WH')],
      });
      assert.deepEqual(await query(`transport/${transport}/status-with-descendants`), {
        sumOfWeightForMasterConsignments: 2401,
        sumOfWeightForHouseConsignments: 800,
        masterConsignments: [under('W1'), under('W2')],
      });
      const ofTransport = `transport/${transport}/house-consignment/transport-document/status`;
      assert.deepEqual(await query(ofTransport), [received('WH')]);
      const ofMaster = `master-consignment/${mrn}/transport-document/status`;
      assert.deepEqual(await query(ofMaster), [received('WH')]);
    });

    test('a receptacle has the current house consignments of whoever asks', async () => {
      const path = (id: string) =>
        `house-consignment/postal-receptacle/${encodeURIComponent(id)}/transport-document/status`;
      const id = 'R/1 ä';
      await movements.lodge('house-consignment', houseMessage('RH2', { receptacle: id }));
      const mrn = await movements.lodge(
        'house-consignment',
        houseMessage('RH1', { receptacle: id }),
      );
      const byOther = houseMessage('RH3', { receptacle: id, ...incomplete });
      await movements.lodge('house-consignment', byOther, 'haulier');
      assert.deepEqual(await query(path(id)), [received('RH2'), received('RH1')]);
      assert.deepEqual(await query(path(id), 'haulier'), [received('RH3', false)]);
      assert.deepEqual(await query(path(id), 'forwarder', 'air'), []);
      await movements.cancel('house-consignment', mrn);
      assert.deepEqual(await query(path(id)), [received('RH2')]);
      for (const other of ['r/1 ä', 'x'.repeat(90), 'R\u0000']) {
        assert.deepEqual(await query(path(other)), [], other);
      }
    });

    test('by document the current message is meant, otherwise the last one, and all parameters are needed', async () => {
      const path = (level: string, number: string) =>
        `${level}/transport-document/status?documentNumber=${number}&type=N730&carrierId=${CARRIER}`;
      const ask = (number: string) => query(path('house-consignment', number));
      const lodge = (more: object) =>
        movements.lodge('house-consignment', houseMessage('BD', { isDirect: true, ...more }));
      const first = await lodge(incomplete);
      assert.deepEqual(await ask('BD'), received('BD', false));
      await movements.cancel('house-consignment', first);
      assert.deepEqual(await ask('BD'), received('BD', false));
      const second = await lodge({});
      assert.deepEqual(await ask('BD'), received('BD'));
      // The current one is older than the cancelled one.
      const third = houseMessage('BD', { master: 'BM', ...incomplete });
      const later = await movements.lodge('house-consignment', third);
      assert.deepEqual(await ask('BD'), received('BD', false));
      await movements.cancel('house-consignment', later);
      assert.deepEqual(await ask('BD'), received('BD'));
      await movements.cancel('house-consignment', second);
      assert.deepEqual(await ask('BD'), received('BD', false));

      for (const level of ['house-consignment', 'master-consignment']) {
        for (const [number, as] of [
          ['BE', 'forwarder'],
          ['BD', 'haulier'],
        ] as const) {
          const { detail } = await refuse(path(level, number), 404, as);
          assert.equal(detail, 'This organisation has no message with this document here');
        }
        for (const name of ['documentNumber', 'type', 'carrierId']) {
          const { validationErrors } = await refuse(
            path(level, 'BD').replace(new RegExp(`${name}=[^&]*&?`), ''),
            400,
          );
          assert.deepEqual(
            validationErrors?.map(({ field, code }) => [field, code]),
            [[name, 'REQUIRED']],
          );
        }
      }
    });

    test('only parties ask, of a tree and the entry also the carrier; all others are told that there is nothing', async () => {
      const numberOf = (who: string) =>
        playground.credentials(who).organisation.replace('0192:', 'NO');
      const carrier = numberOf('haulier');
      const transport = await movements.lodge(
        'transport',
        transportMessage('WM1', { masters: ['WM'], carrier }),
      );
      const mrns = {
        master: await movements.lodge('master-consignment', masterMessage('WM', { carrier })),
        house: await movements.lodge(
          'house-consignment',
          houseMessage('WMH', { master: 'WM', carrier }),
        ),
      };
      const forCarrier = [
        `transport/${transport}/status-with-descendants`,
        `entry/status/${transport}`,
      ];
      const forParties = [
        `master-consignment/${mrns.master}/status-with-descendants`,
        `transport/${transport}/master-consignment/transport-document/status`,
        `transport/${transport}/house-consignment/transport-document/status`,
        `master-consignment/${mrns.master}/transport-document/status`,
        `house-consignment/${mrns.house}/transport-document/status`,
      ];
      for (const path of [...forCarrier, ...forParties]) {
        await query(path);
        const [mrn = ''] = /26NO\w+/.exec(path) ?? [];
        const unknown = path.replace(mrn, NO_MRN);
        const ofOtherLevel = path.replace(mrn, mrn === transport ? mrns.house : transport);
        const { detail } = await refuse(unknown, 404);
        assert.equal(detail, `This organisation has no message ${NO_MRN} here`);
        await refuse(path.replace(mrn, 'x'), 404);
        await refuse(ofOtherLevel, 404);
        const byAir = await playground.get(address(path, 'air'), 'forwarder');
        assert.equal(byAir.status, 404);
        if (forCarrier.includes(path)) await query(path, 'haulier');
        else {
          const { detail: hidden } = await refuse(path, 404, 'haulier');
          assert.equal(hidden, `This organisation has no message ${mrn} here`);
        }
      }
      const withoutScope = await playground.get(address(forParties[0] ?? ''), 'broker');
      assert.equal(withoutScope.status, 403);
    });

    test('too many house consignments are refused, with what to ask for', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('BIG', { masters: ['BIG'] }),
      );
      const mrn = await movements.lodge('master-consignment', masterMessage('BIG'));
      await movements.lodge('house-consignment', houseMessage('BIGH', { master: 'BIG' }));
      const [kept] = await database.query<{ definition: string }>({
        name: '',
        text: `select pg_get_functiondef('houses_of_master'::regproc) as definition`,
        values: [],
      });
      await database.transact((transaction) =>
        transaction.run(`create or replace function houses_of_master(master integer, expected_only boolean)
          returns table (id integer) language sql stable as $$ select generate_series(1, 50001) $$`),
      );
      try {
        for (const path of [
          `transport/${transport}/status-with-descendants`,
          `transport/${transport}/master-consignment/transport-document/status`,
          `transport/${transport}/house-consignment/transport-document/status`,
          `master-consignment/${mrn}/status-with-descendants`,
          `master-consignment/${mrn}/transport-document/status`,
        ]) {
          const { validationErrors } = await refuse(path, 400);
          assert.deepEqual(
            validationErrors?.map(({ field, code }) => [field, code]),
            [['mrn', 'SIZE']],
          );
        }
      } finally {
        await database.transact((transaction) => transaction.run(kept?.definition ?? ''));
      }
    });
  });
}
