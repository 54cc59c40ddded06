// Checkpoints of the audit trail: when one is written, and that none is lost to a database that fails meanwhile.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases, testDatabases } from '../testing/databases.js';
import { emptyAuditTrail } from '../testing/empty-tables.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { AuditCheckpoints } from './audit-checkpoints.js';
import { AuditTrail } from './audit-trail.js';
import { verifyAudit } from './verify-audit.js';

const unexpected = (error: unknown) => assert.ifError(error);
const audit = new AuditTrail();

/** Records something that a checkpoint has to cover. */
const recordEvent = (database: Database) =>
  database.transact((transaction) =>
    audit.record(transaction, {
      at: new Date(),
      actor: undefined,
      requestId: undefined,
      action: 'test.done',
      details: {},
    }),
  );

const countCheckpoints = async (database: Database): Promise<number> => {
  const [row] = await database.query<{ checkpoints: number }>({
    name: 'test-count-checkpoints',
    text: `select count(*) as checkpoints from audit_record where entry like '%"action":"audit.sealed"%'`,
    values: [],
  });
  return row?.checkpoints ?? assert.fail();
};

const [, postgresql] = await testDatabases();

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`checkpoints of the audit trail on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());
    const run = (script: string) => database.transact((transaction) => transaction.run(script));
    const refuseRecords = () =>
      run(`
        create function refuse_record() returns trigger language plpgsql as $$
          begin raise exception 'refused by the test'; end $$;
        create trigger refuse_record before insert on audit_record
          for each row execute function refuse_record()`);
    const acceptRecords = () => run('drop function refuse_record cascade');
    beforeEach(() => run(emptyAuditTrail));

    test('a failed checkpoint is written at the next attempt, even if nothing new was recorded', async () => {
      const checkpoints = new AuditCheckpoints(database, unexpected);
      await recordEvent(database);
      await refuseRecords();
      await assert.rejects(checkpoints.write(new Date()), /refused by the test/);
      await acceptRecords();
      assert.equal(await countCheckpoints(database), 0);
      await checkpoints.write(new Date());
      assert.equal(await countCheckpoints(database), 1);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test("two servers write checkpoints of new records, and none for each other's checkpoints", async () => {
      const servers = [0, 1].map(() => new AuditCheckpoints(database, unexpected));
      const writeOften = async () => {
        for (let round = 0; round < 8; round++) {
          for (const server of servers) await server.write(new Date());
        }
      };
      await writeOften();
      assert.equal(await countCheckpoints(database), 0, 'an empty trail needs no checkpoint');
      await recordEvent(database);
      await writeOften();
      const rested = await countCheckpoints(database);
      assert(rested >= 1 && rested <= 3, `${rested} checkpoints`);
      await writeOften();
      assert.equal(await countCheckpoints(database), rested);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('a failed background checkpoint is reported, and closing still completes', async () => {
      const reported: unknown[] = [];
      const checkpoints = new AuditCheckpoints(database, (error) => reported.push(error));
      await checkpoints.start();
      await recordEvent(database);
      await refuseRecords();
      await checkpoints.close();
      await acceptRecords();
      assert.equal(reported.length, 1);
      assert.match(String(reported[0]), /refused by the test/);
      assert.equal(await countCheckpoints(database), 0);
    });
  });
}

describe('a checkpoint whose session is terminated', { skip: postgresql?.skip ?? false }, () => {
  test('is written at the next attempt, even if nothing new was recorded', async () => {
    const { url, drop } = await createMigratedPostgresql();
    const database = openPostgresql(url);
    const other = new pg.Client({ connectionString: url });
    try {
      await recordEvent(database);
      const checkpoints = new AuditCheckpoints(database, unexpected);
      await other.connect();
      await other.query('begin; lock table audit_record in exclusive mode');
      const failing = assert.rejects(checkpoints.write(new Date()), {
        code: 'DATABASE_UNAVAILABLE',
      });
      let terminated = 0;
      for (let attempt = 0; terminated === 0; attempt++) {
        assert(attempt < 1000, 'the checkpoint never waited for the table');
        await delay(20);
        // Not `pg_stat_activity`, which stays the same within a transaction.
        const { rows } = await other.query(`
          select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and not granted`);
        terminated = rows.length;
      }
      await failing;
      await other.query('rollback');
      assert.equal(await countCheckpoints(database), 0);
      await checkpoints.write(new Date());
      assert.equal(await countCheckpoints(database), 1);
    } finally {
      await other.end();
      await database.close();
      await drop();
    }
  });
});
