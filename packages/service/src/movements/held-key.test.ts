// A key that another transaction holds, as one of a server that was frozen does: only whoever needs that key waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MovementStatus } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const party = (country: string) => ({
  name: 'Stoler AS',
  typeOfPerson: '2',
  address: { city: 'Oslo', country, postcode: '0150', streetLine: 'Strandgata 1' },
});

const house = (documentNumber: string, master: string) => ({
  documentIssueDate: '2026-05-04T07:00:00Z',
  consignmentHouseLevel: {
    transportDocumentHouseLevel: { documentNumber, type: 'N730' },
    consignmentMasterLevel: {
      carrierIdentificationNumber: 'NO888888888',
      transportDocumentMasterLevel: { documentNumber: master, type: 'N730' },
    },
    containerIndicator: '0',
    totalGrossMass: 800,
    numberOfPackages: 3,
    goodsDescription: 'Wooden chairs',
    consignor: party('SE'),
    consignee: party('NO'),
  },
});

/** Far above what a request takes that does not need the key, in milliseconds; one that waits for it is refused in the end. */
const SOON_MS = 15_000;
const HELD_MS = 2500;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  // The embedded database runs one transaction at a time.
  if (name === 'embedded') continue;
  test(`delays nobody else, on ${name}`, { skip }, async () => {
    const database = await open();
    const playground = await TestPlayground.start(database);
    const carryOut = async (method: string, path: string, body?: unknown, as = 'forwarder') => {
      const level = '/api/movement/road/v2/house-consignment';
      const response = await playground.call(`${level}${path}`, { as, method, body });
      assert.equal(response.status, 202, response.text);
      const { requestId } = response.body as { requestId: string };
      const status = await playground.get(
        `/api/movement/road/status/v2/house-consignment/validation-status/${requestId}`,
        as,
      );
      return status.body as MovementStatus;
    };
    try {
      const other = await carryOut('POST', '', house('HELD', 'OTHER'));
      const ended = await carryOut('POST', '', house('HELD', 'MASTER'));
      await carryOut('DELETE', `/${ended.mrn}`);
      await carryOut('POST', '', house('WARM', 'MASTER'), 'haulier');

      const waiting: Promise<MovementStatus>[] = [];
      let settled = 0;
      await database
        .transact(async (transaction) => {
          // It takes the key back, and is rolled back.
          await transaction.query({
            name: '',
            text: `
            update movement m set state = null, ended_at = null from declaration e
            where e.id = m.declaration_id and e.mrn = $1`,
            values: [ended.mrn ?? ''],
          });
          waiting.push(
            carryOut('POST', '', house('HELD', 'MASTER')),
            carryOut('PUT', `/${other.mrn}`, house('HELD', 'MASTER')),
          );
          for (const each of waiting) void each.catch(() => {}).then(() => settled++);
          const end = performance.now() + HELD_MS;
          for (let number = 0; performance.now() < end; number++) {
            const begun = performance.now();
            const lodged = await Promise.all([
              carryOut('POST', '', house(`F${number}`, 'MASTER')),
              carryOut('POST', '', house(`H${number}`, 'MASTER'), 'haulier'),
            ]);
            assert.deepEqual(
              lodged.map(({ status }) => status),
              ['SUCCESS', 'SUCCESS'],
            );
            const took = performance.now() - begun;
            assert(took < SOON_MS, `lodging something else took ${took} ms`);
            await delay(100);
          }
          assert.equal(settled, 0);
          throw new Error('rolled back');
        })
        .catch((error: unknown) => assert.match(String(error), /rolled back/));
      const statuses = await Promise.all(waiting);
      assert.deepEqual(statuses.map(({ status }) => status).sort(), ['FAILURE', 'SUCCESS']);
    } finally {
      await playground.close();
    }
  });
}
