import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Database } from '../database/database.js';
import { testDatabases } from '../testing/databases.js';
import { READING_SPAN, Readings } from './readings.js';
import { verifyAudit } from './verify-audit.js';

type Kept = { owner: number; client: string; first: number; last: number; position: number };

for (const { name, skip, open } of await testDatabases()) {
  describe(`readings on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());
    beforeEach(() =>
      database.transact((transaction) => transaction.run('truncate audit_record, reading')),
    );

    const read = (owner: number, client: string, first: number, last: number) => ({
      kind: 2,
      owner,
      organisation: `0192:${owner}`,
      clientId: client,
      first,
      last,
      at: new Date(),
    });
    const kept = () =>
      database.query<Kept>({
        name: 'test-readings',
        text: `select owner, client_id as client, first_position as first, last_position as last
          from reading order by owner, client_id, position, place`,
        values: [],
      });
    const count = async () => {
      const [row] = await database.query<{ records: number }>({
        name: 'test-count-records',
        text: 'select count(*) as records from audit_record',
        values: [],
      });
      return row?.records;
    };

    test('what follows on is one reading, up to a span; what does not, and what others read, is another', async () => {
      const readings = new Readings(database);
      readings.add(read(1, 'a', 1, 600));
      readings.add(read(1, 'a', 601, 1000));
      readings.add(read(1, 'a', 1001, 1001));
      readings.add(read(1, 'b', 1, 1));
      readings.add(read(2, 'a', 7, 9));
      readings.add(read(2, 'a', 7, 9));
      await readings.close();
      assert.deepEqual(await kept(), [
        { owner: 1, client: 'a', first: 1, last: READING_SPAN },
        { owner: 1, client: 'a', first: 1001, last: 1001 },
        { owner: 1, client: 'b', first: 1, last: 1 },
        { owner: 2, client: 'a', first: 7, last: 9 },
        { owner: 2, client: 'a', first: 7, last: 9 },
      ]);
      assert.equal(await count(), 1);
      assert.deepEqual((await verifyAudit(database)).breaks, []);
    });

    test('they are recorded within about a second, and at once when there are many', async () => {
      const readings = new Readings(database);
      readings.add(read(1, 'a', 1, 1));
      assert.equal(await count(), 0);
      for (let times = 0; (await count()) === 0; times++) {
        assert(times < 100, 'nothing was recorded');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      for (let owner = 1; owner <= 1000; owner++) readings.add(read(owner, 'a', 2, 2));
      await readings.flush();
      assert.equal(await count(), 2);
      await readings.close();
      assert.equal((await kept()).length, 1001);
      assert.deepEqual((await verifyAudit(database)).breaks, []);
    });
  });
}
