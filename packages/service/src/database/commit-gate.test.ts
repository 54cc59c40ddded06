// A commit that no standby confirms: it is never completed on the primary alone, and others do not pile up behind it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { until } from '../testing/until.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { openPostgresql } from './postgresql.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });
const insert = (number: number) => statement('insert into note values ($1)', [number]);

describe('commits that no synchronous standby confirms', { skip: whyNoOwnPostgresql() }, () => {
  let cluster: OwnPostgresql;
  let database: Database;
  let other: pg.Client;
  before(async () => {
    cluster = await makeOwnPostgresql();
    await cluster.start();
    await cluster.run('create table note (number integer)');
    await requireStandby('absent');
    database = openPostgresql(cluster.url);
    other = new pg.Client({ connectionString: cluster.url });
    await other.connect();
  });
  after(async () => {
    await other?.end();
    await cluster?.run(`alter system reset synchronous_standby_names`, 'select pg_reload_conf()');
    await database?.close();
    await cluster?.remove();
  });

  const requireStandby = (name: string) =>
    cluster.run(
      `alter system set synchronous_standby_names = '${name}'`,
      'select pg_reload_conf()',
    );
  const visible = async () =>
    (await other.query('select number from note order by number')).rows.map(({ number }) => number);
  const waiting = async () => {
    const { rows } = await other.query(
      `select query from pg_stat_activity where wait_event = 'SyncRep' and pid <> pg_backend_pid()`,
    );
    return rows.length;
  };

  test('are given up and stay invisible; later ones are refused at once, and nothing piles up', async () => {
    await assert.rejects(database.commit([insert(1)]), /did not respond in time/);
    // Its server process still waits, and so does the one commit that shows when commits are confirmed again.
    await until(async () => (await visible()).length > 0 || (await waiting()) === 2);
    assert.deepEqual(await visible(), []);
    for (let attempt = 0; attempt < 20; attempt++) {
      for (const write of [
        () => database.commit([insert(2)]),
        () => database.commit([insert(2)], 'stream'),
        () => database.transact((transaction) => transaction.query(insert(2))),
        () => database.transact((transaction) => transaction.query(insert(2)), 'large'),
        () => database.query(insert(2)),
      ]) {
        await assert.rejects(write(), DatabaseUnavailableError);
      }
    }
    await assert.rejects(database.checkReady(), /wait for a synchronous standby/);
    assert.equal(await waiting(), 2);
    assert.deepEqual(await visible(), []);
  });

  test('do not stop reads', async () => {
    assert.deepEqual(await database.query(statement('select count(*) from note')), [{ count: 0 }]);
    assert.deepEqual(await database.lookUps.query(statement('select 1 as one')), [{ one: 1 }]);
  });

  test('are visible when they are confirmed, and others are accepted again', async () => {
    await requireStandby('');
    await until(
      async () => (await database.checkReady().catch((error: unknown) => error)) === undefined,
    );
    assert.deepEqual(await visible(), [1]);
    await database.commit([insert(3)]);
    await database.query(insert(4));
    assert.deepEqual(await visible(), [1, 3, 4]);
    assert.equal(await waiting(), 0);
  });

  test('are not followed by writes that waited for a session of the pool when the first was given up', async () => {
    const narrow = openPostgresql(cluster.url, { connections: 1 });
    try {
      await requireStandby('absent');
      const givenUp = narrow.commit([insert(100)]).catch((error: Error) => error.message);
      // The commit is given up while this read is in progress and the writes wait for its session.
      await other.query('select pg_sleep(10)');
      const reading = narrow.query(statement('select pg_sleep(4)'));
      const writes = [
        narrow.query(insert(100)),
        narrow.transact((transaction) => transaction.query(insert(100))),
      ];
      const outcomes = await Promise.allSettled(writes);
      await reading;
      assert.match(String(await givenUp), /did not respond in time/);
      for (const outcome of outcomes) {
        assert(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailableError);
      }
      // The commit that was given up, and the one that shows when commits are confirmed again.
      assert.equal(await waiting(), 2);
    } finally {
      await requireStandby('');
      await until(async () => (await waiting()) === 0);
      await narrow.close();
      await cluster.run('delete from note where number = 100');
    }
  });

  test('wait on, whatever limit of their session passes, and whether the client is there or not', async () => {
    for (const kind of ['statement_timeout', 'client_connection_check_interval']) {
      await requireStandby('absent');
      const client = new pg.Client({ connectionString: cluster.url });
      client.on('error', () => undefined);
      await client.connect();
      await client.query(`set ${kind} = 200`);
      await client.query('begin; insert into note values (9)');
      const { rows } = await client.query('select pg_backend_pid() as pid');
      const committed = client.query('commit').then(
        () => 'committed',
        () => 'lost',
      );
      await until(async () => (await waiting()) === 1);
      if (kind !== 'statement_timeout') client.connection.stream.destroy();
      // Several times the limit.
      await other.query('select pg_sleep(2)');
      assert.equal(await waiting(), 1, `${kind} of ${rows[0].pid}`);
      assert(!(await visible()).includes(9));
      await requireStandby('');
      await committed;
      await until(async () => (await visible()).includes(9));
      await client.end();
      await cluster.run('delete from note where number = 9');
    }
  });
});
