// A presentation whose organisation is locked by another transaction for too long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEED_LOCK } from '../database/locks.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  // The embedded database runs one transaction at a time.
  if (name === 'embedded') continue;
  test(`gets 503 with Retry-After and records nothing, on ${name}`, { skip }, async () => {
    const database = await open();
    const playground = await TestPlayground.start(database);
    try {
      const reference = { transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' } };
      const { organisation } = playground.credentials('carrier');
      const owner = await organisationOf(database, organisation);
      await database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`,
          values: [owner],
        });
        // The transaction is not idle: an idle one would be ended before the presentation gives up.
        const busy = setInterval(() => {
          void transaction.query({ name: '', text: 'select 1', values: [] });
        }, 1000);
        const held = await playground
          .present('house-consignment', 'carrier', reference)
          .finally(() => clearInterval(busy));
        assert.equal(held.status, 503);
        assert.match(held.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
      });
      const statuses = await playground.get(
        '/api/movement/presentation/v1/validation-status',
        'carrier',
      );
      assert.deepEqual(statuses.body, []);
      const free = await playground.present('house-consignment', 'carrier', reference);
      assert.equal(free.status, 202);
    } finally {
      await playground.close();
    }
  });

  test(`is served in its turn while others lock the organisation one after the other, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    const playground = await TestPlayground.start(database);
    const { organisation } = playground.credentials('carrier');
    const owner = await organisationOf(database, organisation);
    const declaration = {
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: organisation,
      houseConsignments: ['TURN-1', 'TURN-2'].map((documentNumber) => ({
        transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        transportDocumentMasterLevel: { documentNumber: 'TURN-M', type: 'N741' },
      })),
    };
    const put = (body: object) =>
      playground.call('/api/authority/v1/entry-summary-declarations/26NO00000000000077', {
        as: 'authority',
        method: 'PUT',
        raw: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    let stopped = false;
    // As batches of other servers that are slow: two of them, one of which always waits while the other one holds it.
    const hold = async () => {
      while (!stopped) {
        await database.transact(async (transaction) => {
          await transaction.query({
            name: '',
            text: `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`,
            values: [owner],
          });
          await transaction.query({ name: '', text: 'select pg_sleep(0.15)', values: [] });
        });
      }
    };
    let holding: Promise<unknown> = Promise.resolve();
    try {
      assert.equal((await put(declaration)).status, 201);
      holding = Promise.all([hold(), hold()]);
      const works: Record<string, () => Promise<{ status: number }>> = {
        'a house consignment': () =>
          playground.present('house-consignment', 'carrier', {
            transportDocumentHouseLevel: { documentNumber: 'TURN-1', type: 'N740' },
          }),
        'a master consignment': () =>
          playground.present('master-consignment', 'carrier', {
            transportDocumentMasterLevel: { documentNumber: 'TURN-M', type: 'N741' },
          }),
        'a decision': () =>
          playground.post('/api/authority/v1/routing-decisions', 'authority', [
            {
              transportDocumentHouseLevel: { documentNumber: 'TURN-2', type: 'N740' },
              routing: 'TO_ENTRY',
            },
          ]),
      };
      const took: Record<string, number> = {};
      for (const [what, work] of Object.entries(works)) {
        const began = performance.now();
        const { status } = await work();
        assert([200, 202].includes(status), `${what}: ${status}`);
        took[what] = performance.now() - began;
      }
      // It takes its turn after two seconds at most. Without turns, each waited ten and more.
      assert(Math.max(...Object.values(took)) < 8000, JSON.stringify(took));
    } finally {
      stopped = true;
      await holding;
      await playground.close();
    }
  });
}
