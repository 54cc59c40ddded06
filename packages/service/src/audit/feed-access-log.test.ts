// Recording feed accesses: merging, batches, and what happens to them while the database fails.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { Replacements } from '../database/replacements.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases, testDatabases } from '../testing/databases.js';
import { emptyAuditTrail } from '../testing/empty-tables.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { FEED_ACCESS_SPAN, FeedAccessLog } from './feed-access-log.js';
import { verifyAudit } from './verify-audit.js';

const [, postgresql] = await testDatabases();

type Kept = { owner: number; client: string; first: number; last: number; position: number };

const unexpected = (error: unknown) => assert.ifError(error);
const unexpectedFailures = { failed: unexpected, dropped: unexpected };

/** Reports that are counted. */
class Counted {
  failures: unknown[] = [];
  drops = 0;
  readonly failed = (error: unknown) => this.failures.push(error);
  readonly dropped = () => this.drops++;
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`feed accesses on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());
    const run = (script: string) => database.transact((transaction) => transaction.run(script));
    beforeEach(() => run(emptyAuditTrail));

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
        name: 'test-feed-accesses',
        text: `select owner, client_id as client, first_position as first, last_position as last
          from feed_access order by owner, client_id, position, index`,
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

    test('adjacent accesses of a client are merged into one row, up to a span; other accesses have separate rows', async () => {
      const accesses = new FeedAccessLog(database, unexpectedFailures);
      accesses.add(read(1, 'a', 1, 600));
      accesses.add(read(1, 'a', 601, 1000));
      accesses.add(read(1, 'a', 1001, 1001));
      accesses.add(read(1, 'b', 1, 1));
      accesses.add(read(2, 'a', 7, 9));
      accesses.add(read(2, 'a', 11, 12));
      await accesses.close();
      assert.deepEqual(await kept(), [
        { owner: 1, client: 'a', first: 1, last: FEED_ACCESS_SPAN },
        { owner: 1, client: 'a', first: 1001, last: 1001 },
        { owner: 1, client: 'b', first: 1, last: 1 },
        { owner: 2, client: 'a', first: 7, last: 9 },
        { owner: 2, client: 'a', first: 11, last: 12 },
      ]);
      assert.equal(await count(), 1);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('what a client reads again on the same day is stored once, whichever pages it is on', async () => {
      const accesses = new FeedAccessLog(database, unexpectedFailures);
      const at = new Date('2026-11-24T12:00:00Z');
      const midnight = new Date('2026-11-25T00:00:00Z');
      for (let times = 0; times < 1490; times++) {
        accesses.add({ ...read(1, 'a', 1, 100), at });
        if (times % 500 === 0) await accesses.flush();
      }
      // Pages that overlap, and single entries: what is new is stored.
      for (let first = 1; first <= 100; first++)
        accesses.add({ ...read(1, 'a', first, first), at });
      accesses.add({ ...read(1, 'a', 51, 150), at });
      accesses.add({ ...read(1, 'a', 201, 201), at });
      accesses.add({ ...read(1, 'a', 90, 900), at });
      // Another client, another feed, another organisation, another day.
      accesses.add({ ...read(1, 'b', 1, 100), at });
      accesses.add({ ...read(2, 'a', 1, 100), at });
      accesses.add({ ...read(1, 'a', 1, 100), organisation: '0192:2', at });
      accesses.add({ ...read(3, 'a', 4000, 4200), at });
      accesses.add({ ...read(3, 'a', 4095, 4096), at });
      accesses.add({ ...read(3, 'a', 3990, 4210), at });
      accesses.add({ ...read(1, 'c', 1, 1), at });
      accesses.add({ ...read(1, 'c', 1, 1), at: midnight });
      accesses.add({ ...read(1, 'c', 1, 1), at: midnight });
      await accesses.close();
      assert.deepEqual(
        (await kept()).map(
          ({ owner, client, first, last }) => `${owner}${client} ${first}-${last}`,
        ),
        [
          ...['1a 1-100', '1a 101-150', '1a 201-201', '1a 151-200', '1a 202-900', '1a 1-100'],
          ...['1b 1-100', '1c 1-1', '1c 1-1', '2a 1-100'],
          ...['3a 4000-4200', '3a 3990-3999', '3a 4201-4210'],
        ],
      );
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('what could not be queued is stored when it is read again', async () => {
      const reports = new Counted();
      const accesses = new FeedAccessLog(database, reports, { maxQueued: 1 });
      accesses.add(read(1, 'a', 1, 9));
      accesses.add(read(1, 'b', 1, 9));
      assert.equal(reports.drops, 1);
      await accesses.flush();
      accesses.add(read(1, 'b', 1, 9));
      await accesses.close();
      assert.equal((await kept()).length, 2);
    });

    test('what is read again after another server became the primary, or the data was replaced, is stored again', async () => {
      for (const change of ['outdated', 'replaced'] as const) {
        await run(emptyAuditTrail);
        const replacements = new Replacements();
        const accesses = new FeedAccessLog({ ...database, replacements }, unexpectedFailures);
        accesses.add(read(1, 'a', 1, 9));
        await accesses.flush();
        // The new primary may lack the record, and have other entries at these positions.
        await replacements[change]();
        accesses.add(read(1, 'a', 5, 12));
        await accesses.close();
        assert.deepEqual(
          (await kept()).map(({ first, last }) => [first, last]),
          [
            [1, 9],
            [5, 12],
          ],
          change,
        );
      }
    });

    test('accesses are recorded within about a second, and at once when a batch is full', async () => {
      const accesses = new FeedAccessLog(database, unexpectedFailures);
      accesses.add(read(1, 'a', 1, 1));
      assert.equal(await count(), 0);
      for (let times = 0; (await count()) === 0; times++) {
        assert(times < 100, 'nothing was recorded');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      for (let owner = 1; owner <= 1000; owner++) accesses.add(read(owner, 'a', 2, 2));
      await accesses.flush();
      assert.equal(await count(), 2);
      await accesses.close();
      assert.equal((await kept()).length, 1001);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    const refuseAccesses = () =>
      run(`
        create or replace function refuse_access() returns trigger language plpgsql as $$
          begin raise exception 'refused by the test'; end $$;
        create or replace trigger refuse_access before insert on feed_access
          for each row execute function refuse_access()`);
    const acceptAccesses = () => run('drop function refuse_access cascade');
    const untilKept = async (rows: number) => {
      for (let tries = 0; (await kept()).length < rows; tries++) {
        assert(tries < 600, `${(await kept()).length} rows of ${rows} were recorded`);
        await delay(50);
      }
    };

    test('a failed write is reported, and its accesses are kept and recorded when the database accepts them', async () => {
      const reports = new Counted();
      const accesses = new FeedAccessLog(database, reports);
      await refuseAccesses();
      for (let owner = 1; owner <= 2500; owner++) accesses.add(read(owner, 'a', 1, 1));
      await accesses.flush();
      accesses.add(read(1, 'a', 2, 9));
      assert.match(String(reports.failures[0]), /refused by the test/);
      assert.equal(await count(), 0);
      await acceptAccesses();
      await untilKept(2501);
      await accesses.close();
      assert.equal((await kept()).length, 2501);
      assert.equal(reports.drops, 0);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('while writes fail, accesses are kept up to a limit for each organisation and in total; further ones are counted as dropped', async () => {
      const reports = new Counted();
      const limits = { maxQueued: 3000, maxQueuedByOrganisation: 2000 };
      const accesses = new FeedAccessLog(database, reports, limits);
      await refuseAccesses();
      for (let n = 1; n <= 2500; n++) accesses.add(read(1, 'greedy', 2 * n, 2 * n));
      assert.equal(reports.drops, 500);
      for (let owner = 2; owner <= 1201; owner++) accesses.add(read(owner, 'a', 1, 1));
      assert.equal(reports.drops, 700);
      await accesses.flush();
      await acceptAccesses();
      await untilKept(3000);
      accesses.add(read(1, 'greedy', 1, 1));
      await accesses.close();
      assert.equal((await kept()).length, 3001, 'written accesses free space in the queue');
      assert.equal(reports.drops, 700);
    });

    test('accesses that cannot be written before the server closes are counted as dropped', async () => {
      const reports = new Counted();
      const accesses = new FeedAccessLog(database, reports);
      await refuseAccesses();
      for (let owner = 1; owner <= 30; owner++) accesses.add(read(owner, 'a', 1, 1));
      await accesses.close();
      await acceptAccesses();
      assert.equal(reports.drops, 30);
      assert(reports.failures.length > 0);
    });
  });
}

describe('feed accesses while PostgreSQL hangs', { skip: postgresql?.skip ?? false }, () => {
  test('only one transaction waits, and closing waits for it only up to a timeout', async () => {
    const { url, drop } = await createMigratedPostgresql();
    const database = openPostgresql(url);
    const other = new pg.Client({ connectionString: url });
    try {
      await other.connect();
      await other.query('begin; lock table feed_access in exclusive mode');
      const reports = new Counted();
      const accesses = new FeedAccessLog(database, reports);
      const waiting = async () => {
        // Not `pg_stat_activity`, which stays the same within a transaction.
        const { rows } = await other.query(`
          select pid from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and not granted`);
        return rows.length;
      };
      for (let owner = 1; owner <= 5000; owner++) {
        accesses.add({
          kind: 2,
          owner,
          organisation: `0192:${owner}`,
          clientId: 'a',
          first: 1,
          last: 1,
          at: new Date(),
        });
        if (owner % 1000 === 0) void accesses.flush();
      }
      for (let tries = 0; (await waiting()) === 0; tries++) {
        assert(tries < 600, 'nothing was written');
        await delay(20);
      }
      // Longer than the interval in which accesses are written.
      await delay(2500);
      assert.equal(await waiting(), 1);
      const began = performance.now();
      await accesses.close();
      assert(performance.now() - began < 30_000, 'closing waited');
      assert.equal(reports.drops, 5000);
      await other.query('rollback');
    } finally {
      await other.end();
      await database.close();
      await drop();
    }
  });
});
