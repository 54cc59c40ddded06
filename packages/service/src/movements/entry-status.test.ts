// The entry status: true only when everything is there and decided, and who waits for it is told when that changes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { EntryStatus } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  recordArrival,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const OFFICE = 'NO371001';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`entry status on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    let carrier: string;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
      carrier = playground.credentials('haulier').organisation.replace('0192:', 'NO');
    });
    after(() => playground.close());

    const ask = async (mrn: string, as = 'forwarder', wait = 0): Promise<EntryStatus> => {
      const headers = wait > 0 ? { prefer: `wait=${wait}` } : {};
      const path = `/api/movement/road/status/v2/entry/status/${mrn}`;
      const response = await playground.get(path, as, headers);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers.get('preference-applied'), wait > 0 ? `wait=${wait}` : null);
      // Safe cast: the response was compared with openapi.json.
      return response.body as EntryStatus;
    };
    const reasonsOf = async (mrn: string) => (await ask(mrn)).reasons;
    const decide = async (mrn: string, number: string, routing: string, location?: string) => {
      const decision = {
        mrn,
        transportDocumentHouseLevel: { documentNumber: number, type: 'N730' },
        routing,
        ...(location !== undefined && { routingControlLocation: location }),
        reason: 'test',
      };
      const response = await playground.post('/api/authority/v1/routing-decisions', 'authority', [
        decision,
      ]);
      assert.equal(response.status, 200, response.text);
    };
    const lodgeTransport = (key: string) =>
      movements.lodge(
        'transport',
        transportMessage(key, { masters: [`${key}M`], houses: [`${key}D`], carrier }),
      );
    const lodgeRest = async (key: string) => {
      await movements.lodge('master-consignment', masterMessage(`${key}M`, { carrier }));
      const direct = houseMessage(`${key}D`, { isDirect: true, carrier });
      const under = houseMessage(`${key}H`, { master: `${key}M`, carrier });
      return {
        direct: await movements.lodge('house-consignment', direct),
        under: await movements.lodge('house-consignment', under),
      };
    };

    test('each reason stands while it holds, and the last decision gives the time', async () => {
      const key = 'EA';
      const mrn = await lodgeTransport(key);
      assert.deepEqual(await ask(mrn), {
        validEntry: false,
        mrn,
        reasons: ['NOT_ARRIVED', 'NOTHING_LODGED', 'DOCUMENT_NOT_LODGED'],
      });
      const arrivedAt = new Date(Date.now() - 60_000);
      await recordArrival(database, mrn, OFFICE, arrivedAt);
      const reasons = ['NOTHING_LODGED', 'DOCUMENT_NOT_LODGED'];
      assert.deepEqual(await ask(mrn), {
        validEntry: false,
        customsOfficeOfEntry: OFFICE,
        mrn,
        reasons,
      });

      const incomplete = { master: `${key}M`, carrier, importProcedure: undefined };
      const under = await movements.lodge('house-consignment', houseMessage(`${key}H`, incomplete));
      assert.deepEqual(await reasonsOf(mrn), reasons);
      await movements.lodge('master-consignment', masterMessage(`${key}M`, { carrier }));
      assert.deepEqual(await reasonsOf(mrn), ['DOCUMENT_NOT_LODGED', 'INCOMPLETE', 'UNDECIDED']);
      const direct = await movements.lodge(
        'house-consignment',
        houseMessage(`${key}D`, { isDirect: true, carrier }),
      );
      assert.deepEqual(await reasonsOf(mrn), ['INCOMPLETE', 'UNDECIDED']);
      await decide(under, `${key}H`, 'TO_CONTROL', 'ON_ENTRY');
      assert.deepEqual(await reasonsOf(mrn), ['UNDECIDED', 'TO_CONTROL']);
      await decide(direct, `${key}D`, 'TO_ENTRY');
      assert.deepEqual(await reasonsOf(mrn), ['TO_CONTROL']);
      const before = Date.now();
      await decide(under, `${key}H`, 'TO_CONTROL', 'AFTER_ENTRY');
      const { timeOfEntry = '', ...valid } = await ask(mrn);
      assert.deepEqual(valid, { validEntry: true, customsOfficeOfEntry: OFFICE, mrn });
      assert.ok(Math.abs(Date.parse(timeOfEntry) - before) < 30_000, timeOfEntry);

      await decide(under, `${key}H`, 'TO_CONTROL');
      assert.deepEqual(await reasonsOf(mrn), ['TO_CONTROL']);
    });

    test('before the arrival nothing is said of decisions, whatever they are', async () => {
      for (const [index, reasons] of [[], ['INCOMPLETE']].entries()) {
        const key = `EC${index}`;
        const mrn = await lodgeTransport(key);
        await movements.lodge('master-consignment', masterMessage(`${key}M`, { carrier }));
        const more = index === 0 ? {} : { importProcedure: undefined };
        const goods = [
          await movements.lodge(
            'house-consignment',
            houseMessage(`${key}H`, { master: `${key}M`, carrier, ...more }),
          ),
          await movements.lodge(
            'house-consignment',
            houseMessage(`${key}D`, { isDirect: true, carrier, ...more }),
          ),
        ];
        const before = await ask(mrn);
        assert.deepEqual(before.reasons, ['NOT_ARRIVED', ...reasons]);
        for (const routing of ['TO_CONTROL', 'TO_ENTRY']) {
          await decide(goods[0] ?? '', `${key}H`, routing);
          await decide(goods[1] ?? '', `${key}D`, routing);
          for (const as of ['forwarder', 'haulier']) {
            assert.deepEqual(await ask(mrn, as), before, routing);
          }
        }
      }
    });

    test('a request that waits is answered when a reason changes, and by whoever can be woken at once', async () => {
      const key = 'EB';
      const mrn = await lodgeTransport(key);
      const start = performance.now();
      assert.equal((await ask(mrn, 'forwarder', 1)).validEntry, false);
      const waited = performance.now() - start;
      assert.ok(waited >= 950 && waited < 10_000, `${waited}`);

      // Lodging is in the feed of statuses of the one who waits.
      const waiting = ask(mrn, 'forwarder', 60);
      await setTimeout(300);
      const begun = performance.now();
      const { direct, under } = await lodgeRest(key);
      const { reasons } = await waiting;
      assert.notDeepEqual(reasons, ['NOT_ARRIVED', 'NOTHING_LODGED', 'DOCUMENT_NOT_LODGED']);
      assert.ok(performance.now() - begun < 20_000);

      const arrivedAt = new Date(Date.now() + 300_000);
      await recordArrival(database, mrn, OFFICE, arrivedAt);
      await decide(direct, `${key}D`, 'TO_ENTRY');
      // Nothing is sent to the carrier of the transport, whose answer is computed again.
      const ofCarrier = ask(mrn, 'haulier', 60);
      await setTimeout(300);
      await decide(under, `${key}H`, 'TO_ENTRY');
      const { validEntry, timeOfEntry } = await ofCarrier;
      assert.deepEqual([validEntry, timeOfEntry], [true, arrivedAt.toISOString()]);
      // What is true is answered at once.
      const again = performance.now();
      assert.equal((await ask(mrn, 'haulier', 60)).validEntry, true);
      assert.ok(performance.now() - again < 20_000);
    });
  });
}
