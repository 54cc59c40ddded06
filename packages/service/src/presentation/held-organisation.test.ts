// A presentation whose organisation is locked by another transaction for too long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEED_LOCK } from '../database/locks.js';
import { testDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';

for (const { name, skip, open } of await testDatabases()) {
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
}
