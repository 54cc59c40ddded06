// A database that takes no writes, after a failover to a standby or set read-only: every request fails as unavailable.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { checkDatabase } from '../production/check-safety.js';
import { testDatabases } from '../testing/databases.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { createPostgresql } from '../testing/postgresql.js';
import { Batch } from './batch.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { openPostgresql } from './postgresql.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

const [, { skip } = { skip: 'no PostgreSQL' }] = await testDatabases();

describe('a primary that stops taking writes', { skip }, () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createPostgresql();
    drop = created.drop;
    database = openPostgresql(created.url);
    await database.query(statement('create table note (number integer)'));
  });
  after(async () => {
    await database?.close();
    await drop?.();
  });

  const insert = statement('insert into note values (1)');
  const backend = async () =>
    (await database.commit([statement('select pg_backend_pid() as pid')]))[0]?.[0]?.pid;

  /** Does the same to the session of the small lane as a failover, or an administrator, does to all. */
  const spoil = (setting: string) => database.commit([statement(`set session ${setting}`)]);

  /** 64 requests that share commits; gives how many commits were tried, and the requests' errors. */
  async function submitMany() {
    let commits = 0;
    const batch = new Batch<number, number>(async (requests) => {
      commits++;
      await database.commit(requests.map(() => insert));
      return requests;
    });
    const settled = await Promise.allSettled(
      Array.from({ length: 64 }, (_, number) => batch.submit(number)),
    );
    const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    return { commits, errors };
  }

  test('is read-only (25006): one commit fails all requests of a batch, and the session is dropped', async () => {
    const before = await backend();
    await spoil('default_transaction_read_only = on');
    const { commits, errors } = await submitMany();
    assert.equal(commits, 1);
    assert.equal(errors.length, 64);
    for (const error of errors) assert(error instanceof DatabaseUnavailableError);
    assert.notEqual(await backend(), before);
    assert.deepEqual((await submitMany()).errors, []);
  });

  test('cancels a statement (57014): the request fails as unavailable, and the session is dropped', async () => {
    const before = await backend();
    await spoil('statement_timeout = 200');
    await assert.rejects(
      database.commit([statement('select pg_sleep(20)')]),
      DatabaseUnavailableError,
    );
    assert.notEqual(await backend(), before);
  });

  test('has a lock held for too long (55P03): the request fails as unavailable, and the session is kept', async () => {
    const before = await backend();
    await spoil('lock_timeout = 200');
    await database.transact(async (transaction) => {
      await transaction.run('lock table note');
      await assert.rejects(database.commit([insert]), (error) => {
        assert(error instanceof DatabaseUnavailableError);
        assert.match(error.message, /another transaction holds a lock/);
        return true;
      });
    });
    assert.equal(await backend(), before);
  });
});

describe('a standby', { skip: whyNoOwnPostgresql() }, () => {
  let cluster: OwnPostgresql;
  before(async () => {
    cluster = await makeOwnPostgresql();
    await cluster.start();
    await cluster.stop();
    await cluster.makeStandby();
    await cluster.start();
  });
  after(() => cluster?.remove());

  test('is refused when starting, by readiness and by every kind of session, until it is promoted', async () => {
    const database = openPostgresql(cluster.url);
    try {
      for (const use of [
        () => checkDatabase(database),
        () => database.checkReady(),
        () => database.query(statement('select 1')),
        () => database.lookUps.query(statement('select 1')),
        () => database.commit([statement('select 1')]),
        () => database.transact(async () => undefined, 'large'),
      ]) {
        await assert.rejects(use(), (error) => {
          assert(error instanceof DatabaseUnavailableError);
          assert.match(error.message, /takes no writes/);
          return true;
        });
      }
      assert.equal(await sessionsOf(cluster.url), 0);
    } finally {
      await database.close();
    }
  });

  test('on which listening fails is tried again without leaving sessions behind, and each failure is reported', async () => {
    const database = openPostgresql(cluster.url);
    const failures: unknown[] = [];
    database.onListenFailure((error) => failures.push(error));
    database.onAnnouncement(() => undefined);
    try {
      const end = Date.now() + 60_000;
      while (failures.length < 4 && Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.ok(failures.length >= 4);
      assert.ok((await sessionsOf(cluster.url)) <= 1);
    } finally {
      await database.close();
    }
    assert.equal(await sessionsOf(cluster.url), 0);
  });

  test('that was promoted is used by those who were refused before', async () => {
    const database = openPostgresql(cluster.url);
    try {
      await assert.rejects(database.checkReady(), DatabaseUnavailableError);
      const client = new pg.Client({ connectionString: cluster.url });
      await client.connect();
      await client.query('select pg_promote()');
      await client.end();
      await database.checkReady();
      await database.commit([statement('create table note (number integer)')]);
    } finally {
      await database.close();
    }
  });
});

/** How many sessions of ours a server has; one that was just closed may need a moment to go. */
async function sessionsOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let sessions = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 20 && sessions > 0; time++) {
      const { rows } = await client.query<{ sessions: number }>(
        `select count(*)::integer as sessions from pg_stat_activity where application_name = 'landfall'`,
      );
      sessions = rows[0]?.sessions ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return sessions;
  } finally {
    await client.end();
  }
}
