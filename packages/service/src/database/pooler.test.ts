// PgBouncer between Landfall and PostgreSQL: it must assign whole sessions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { checkDatabase } from '../production/check-safety.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { startPgbouncer, whyNoPgbouncer } from '../testing/own-pgbouncer.js';
import { type TestPostgresql, whyNoPostgresql } from '../testing/postgresql.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { openPostgresql } from './postgresql.js';

const statement = (text: string) => ({ name: '', text, values: [] });
const named = { name: 'pooler-test', text: 'select 7 as seven', values: [] };

describe('PgBouncer', { skip: (await whyNoPostgresql()) || (await whyNoPgbouncer()) }, () => {
  let postgresql: TestPostgresql;
  before(async () => {
    postgresql = await createMigratedPostgresql();
  });
  after(() => postgresql?.drop());

  /** Opens the database through a pooler of its own, once after the other. */
  async function through(
    mode: 'session' | 'transaction',
    ...uses: ((database: Database, url: string) => Promise<void>)[]
  ): Promise<void> {
    const pooler = await startPgbouncer(postgresql.url, mode);
    try {
      for (const use of uses) {
        const database = openPostgresql(pooler.url);
        await use(database, pooler.url).finally(() => database.close());
      }
    } finally {
      await pooler.stop();
    }
  }

  test('in session mode works: settings, prepared statements, announcements and locks', async () => {
    const settings = statement(
      `select current_setting('enable_seqscan') as seqscan, current_setting('lock_timeout') as lock`,
    );
    const use = async (database: Database) => {
      assert.deepEqual(await checkDatabase(database), []);
      await database.checkReady();
      const rows = [
        ...(await database.query(settings)),
        ...(await database.lookUps.query(settings)),
        ...(await database.commit([settings])).flat(),
        ...(await database.transact((transaction) => transaction.query(settings), 'large')),
      ];
      assert.deepEqual(
        rows,
        ['10s', '2s', '5s', '2s'].map((lock) => ({ seqscan: 'off', lock })),
      );
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(await database.commit([named]), [[{ seven: 7 }]]);
      }
      const release = await database.tryLock(1, () => undefined);
      assert.ok(release);
      assert.equal(await database.tryLock(1, () => undefined), undefined);
      await release();
    };
    // The second one gets the server sessions of the first one.
    await through('session', use, use);
  });

  test('in session mode passes announcements on', async () => {
    await through('session', async (database) => {
      const other = openPostgresql(postgresql.url);
      let received: string | undefined;
      database.announcements.onMessage((message) => {
        received = message;
      });
      try {
        for (let time = 0; time < 200 && received === undefined; time++) {
          await other.announcements.send('hello');
          await delay(50);
        }
        assert.equal(received, 'hello');
      } finally {
        await other.close();
      }
    });
  });

  test('in transaction mode is refused at the start, and says which setting to change', async () => {
    await through('transaction', async (database) => {
      await assert.rejects(checkDatabase(database), (error) => {
        assert(error instanceof DatabaseUnavailableError);
        assert.match(error.message, /pool_mode = session/);
        return true;
      });
    });
  });

  test('in transaction mode is noticed when a session continues with another server process', async () => {
    await through('transaction', async (database, url) => {
      // A single session is like one of its own, until another client uses its process meanwhile.
      await database.lookUps.query(statement('select 1'));
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query('begin');
      try {
        await assert.rejects(database.checkReady(), /pool_mode = session/);
      } finally {
        await other.end();
      }
    });
  });
});
