// A database that takes no writes, after a failover to a standby or set read-only: every request fails as unavailable.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { UnmetConditionError } from '../http/readiness-conditions.js';
import { makeDurabilityCheck } from '../production/check-durability.js';
import { checkDatabase } from '../production/check-safety.js';
import { testDatabases } from '../testing/databases.js';
import type { ReceivedResponse } from '../testing/openapi-responses.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { createPostgresql } from '../testing/postgresql.js';
import { readEvents } from '../testing/read-events.js';
import { Batch } from './batch.js';
import type { Database, Statement } from './database.js';
import { DatabaseUnavailableError, UnconfirmedCommitError } from './errors.js';
import { migrate } from './migrate.js';
import { openPostgresql } from './postgresql.js';

const STATUS = '/api/movement/presentation/v1/validation-status';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });
const findBackend: Statement<{ pid: number }> = statement('select pg_backend_pid() as pid');

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
  const backend = async () => (await database.commit([findBackend]))[0][0]?.pid;

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
    database.announcements.onFailure((error) => failures.push(error));
    database.announcements.onMessage(() => undefined);
    try {
      const end = Date.now() + 30_000;
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
      await cluster.run('select pg_promote()');
      await database.checkReady();
      await database.commit([statement('create table note (number integer)')]);
    } finally {
      await database.close();
    }
  });

  describe('and its primary, both in one address', () => {
    let standby: OwnPostgresql;
    let address: string;
    let database: Database;
    let playground: TestPlayground;
    before(async () => {
      // The cluster is a primary since it was promoted.
      standby = await cluster.makeReplica();
      await standby.start();
      const hosts = [standby, cluster].map(({ url }) => new URL(url).host);
      address = `postgresql://postgres@${hosts}/postgres?target_session_attrs=read-write`;
      database = openPostgresql(address);
      await migrate(database);
      playground = await TestPlayground.start(database, { rateLimit: 0 });
    });
    after(async () => {
      // First, so that nothing waits for a database that the failed test left in a state of its own.
      await standby?.remove();
      await playground?.close();
    });

    const present = (as: string, requestId: string) =>
      playground.present('container', as, { containerId: 'JARU0000010' }, requestId);

    /** A refusal that a client repeats. */
    const assertUnavailable = ({ status, headers, text }: ReceivedResponse) => {
      assert.equal(status, 503, text);
      assert.equal(headers.get('retry-after'), '1');
    };

    const isReady = async () => (await playground.call('/readyz')).status === 200;

    test('are distinguished: every session, also of maintenance, is with the primary', async () => {
      const maintenance = openPostgresql(address, { maintenance: true });
      try {
        const port = statement(`select current_setting('port') as port`);
        const { port: expected } = new URL(cluster.url);
        for (const rows of [
          await maintenance.query(port),
          await database.query(port),
          await database.lookUps.query(port),
          ...(await database.commit([port])),
          await database.transact((transaction) => transaction.query(port), 'large'),
        ]) {
          assert.deepEqual(rows, [{ port: expected }]);
        }
        const received = new Promise((resolve) => maintenance.announcements.onMessage(resolve));
        await until(async () => {
          await database.announcements.send('hello');
          return (await Promise.race([received, delay(50)])) === 'hello';
        });
      } finally {
        await maintenance.close();
      }
      assert.equal(await sessionsOf(standby.url), 0);
    });

    test('confirm commits to each other: one that the standby does not confirm fails, and the server is not durable', async () => {
      const { check } = makeDurabilityCheck(database);
      const isUnmet = (reason: RegExp) => (error: unknown) => {
        assert(error instanceof UnmetConditionError);
        assert.match(error.message, reason);
        return true;
      };
      await assert.rejects(check(), isUnmet(/synchronous_standby_names is empty/));
      assert.match(
        (await checkDatabase(database, 'replicated')).join(),
        /synchronous_standby_names is empty/,
      );

      const use = (setting: string) =>
        cluster.run(`alter system set ${setting}`, 'select pg_reload_conf()');
      await use(`synchronous_standby_names = '*'`);
      await use('synchronous_commit = remote_write');
      await until(async () =>
        /synchronous_commit is remote_write/.test(String(await failure(check))),
      );
      await use('synchronous_commit = on');
      await until(async () => (await failure(check)) === undefined);
      assert.deepEqual(await checkDatabase(database, 'replicated'), []);

      const insert = statement('insert into note values (2)');
      const waiting = `from pg_stat_activity where application_name = 'landfall' and wait_event = 'SyncRep'`;
      const receiver = await standbyReceiver(standby.url);
      process.kill(receiver, 'SIGSTOP');
      try {
        await assert.rejects(
          check(),
          isUnmet(/no synchronous standby confirmed a commit within 3/),
        );
        // PostgreSQL reports a commit as successful if somebody cancels its wait.
        let outcome: unknown;
        const commit = database.transact((transaction) => transaction.query(insert));
        commit.then(
          () => {
            outcome = 'committed';
          },
          (error: unknown) => {
            outcome = error;
          },
        );
        await until(async () => {
          await cluster.run(`select pg_cancel_backend(pid) ${waiting}`);
          return outcome !== undefined;
        });
        assert(outcome instanceof UnconfirmedCommitError, String(outcome));
        // A commit that nobody cancels is given up at the limit of its session, and its process waits on.
        await assert.rejects(database.commit([insert]), /did not respond in time/);
        await assert.rejects(database.commit([insert]), /may wait for a synchronous standby/);
      } finally {
        process.kill(receiver, 'SIGCONT');
      }
      await until(async () => (await failure(() => database.checkReady())) === undefined);
      await database.commit([insert]);
      await check();
    });

    test('change roles while the service runs: requests get 503 until then, readers wait, and nothing that was acknowledged is lost', async () => {
      const reading = readEvents(playground, STATUS, 'forwarder', 2);
      const read = [randomUUID(), randomUUID()] as const;
      assert.equal((await present('forwarder', read[0])).status, 202);

      const accepted: string[] = [];
      const refused: ReceivedResponse[] = [];
      let stop = false;
      const write = async () => {
        while (!stop) {
          const requestId = randomUUID();
          const response = await present('carrier', requestId);
          if (response.status === 202) accepted.push(requestId);
          else refused.push(response);
        }
      };
      const writers = Promise.all([write(), write(), write()]);
      try {
        await until(async () => accepted.length >= 30);
        await cluster.stop('SIGQUIT');
        await until(async () => refused.length >= 30);
        assertUnavailable(await playground.call('/readyz'));
        assert.equal((await playground.call('/livez')).status, 200);
        await standby.run('select pg_promote()');
        await until(isReady);
        const before = accepted.length;
        await until(async () => accepted.length >= before + 30);
      } finally {
        stop = true;
        await writers;
      }
      for (const response of refused) assertUnavailable(response);

      assert.equal((await present('forwarder', read[1])).status, 202);
      assert.deepEqual(
        (await reading).map(({ id }) => id),
        read,
      );
      const { text } = await playground.get(`${STATUS}?limit=1000`, 'carrier');
      assert.deepEqual(
        accepted.filter((requestId) => !text.includes(requestId)),
        [],
      );
    });

    test('end a session that reads a stream of events: the client stays connected and gets what follows', async () => {
      const locking = new pg.Client({ connectionString: standby.url });
      await locking.connect();
      const isReading = `wait_event_type = 'Lock' and query ~ '^\\s*select entries, more'`;
      const untilReading = async (others: readonly number[]) => {
        let readers: number[] = [];
        await until(async () => {
          const pids = await backendsOf(standby.url, isReading);
          readers = pids.filter((pid) => !others.includes(pid));
          return readers.length > 0;
        });
        return readers;
      };
      await playground.token('express');
      let reading: ReturnType<typeof readEvents>;
      try {
        await locking.query('begin; lock table validation_status');
        reading = readEvents(playground, STATUS, 'express', 1);
        const readers = await untilReading([]);
        await locking.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [
          readers,
        ]);
        await untilReading(readers);
        await locking.query('commit');
      } finally {
        await locking.end();
      }
      const requestId = randomUUID();
      assert.equal((await present('express', requestId)).status, 202);
      assert.deepEqual(
        (await reading).map(({ id }) => id),
        [requestId],
      );
    });

    test('are distinguished again when the old primary returns as a standby', async () => {
      await cluster.makeStandby(standby);
      await cluster.start();
      assert.equal((await present('carrier', randomUUID())).status, 202);
      assert(await isReady());
      assert.equal(await sessionsOf(cluster.url), 0);
    });

    test('are left when they refuse one write: all sessions are closed, and replaced when there is a primary', async () => {
      const readOnly = async (value: string) => {
        const set = `alter system set default_transaction_read_only = ${value}`;
        await standby.run(set, 'select pg_reload_conf()');
        // The setting takes effect a moment later, in new sessions not before the others.
        await until(async () => (await readSetting(standby.url)) === value);
      };
      assert.equal((await present('carrier', randomUUID())).status, 202);
      const before = await backendsOf(standby.url);
      assert.ok(before.length >= 3, 'there are sessions that listen, look up and commit');
      await readOnly('on');
      assertUnavailable(await present('carrier', randomUUID()));
      await until(async () => {
        const remaining = await backendsOf(standby.url);
        return before.every((backend) => !remaining.includes(backend));
      });
      await readOnly('off');
      await until(isReady);
      assert.equal((await present('carrier', randomUUID())).status, 202);
    });

    test('are both primaries: when a session finds the new one, no other session stays with the old one', async () => {
      await cluster.run(
        'alter system reset synchronous_standby_names',
        'select pg_reload_conf()',
        'select pg_promote()',
      );
      const onOld = new pg.Client({
        connectionString: standby.url.replace(/postgres$/, 'template1'),
      });
      await onOld.connect();
      await onOld.query('alter database postgres allow_connections false');
      // One of several sessions of the service: the others are idle, listen, or look up.
      await onOld.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'landfall' and query = 'commit'`);
      await until(async () => (await present('carrier', randomUUID())).status === 202);
      await until(async () => {
        const { rows } = await onOld.query(
          `select pid from pg_stat_activity where application_name = 'landfall'`,
        );
        return rows.length === 0;
      });
      await onOld.end();
      assert.ok((await backendsOf(cluster.url)).length > 0);
    });
  });
});

/** The error of a call; `undefined` if it has none. */
function failure(call: () => Promise<void>): Promise<unknown> {
  return call().then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The process of a standby that receives what the primary writes. */
async function standbyReceiver(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_wal_receiver');
  await client.end();
  assert(rows[0]);
  return rows[0].pid;
}

/** Waits until a condition is fulfilled; fails after 30 s. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'the condition was not fulfilled within 30 s');
    await delay(50);
  }
}

/** How many sessions of ours a server has; one that was just closed may need a moment to go. */
async function sessionsOf(url: string): Promise<number> {
  let sessions = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 20 && sessions > 0; time++) {
    sessions = (await backendsOf(url)).length;
    await delay(50);
  }
  return sessions;
}

/** Whether new transactions take no writes: `on` or `off`. */
async function readSetting(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('show default_transaction_read_only');
  await client.end();
  return rows[0].default_transaction_read_only;
}

/** The processes of a server that work for sessions of ours. */
async function backendsOf(url: string, condition = 'true'): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'landfall' and ${condition}`,
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}
