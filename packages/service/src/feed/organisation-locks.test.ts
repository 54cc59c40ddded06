// Waits for organisations that nobody awaits, or not yet, when the session with the database is lost.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Postponed } from '../database/batch.js';
import type { Database } from '../database/database.js';
import { DatabaseUnavailableError } from '../database/errors.js';
import { testDatabases } from '../testing/databases.js';
import { until } from '../testing/until.js';
import { releasesOf } from './organisation-locks.js';

const [, postgresql] = await testDatabases();

describe('waits for organisations when the session is lost', { skip: postgresql?.skip }, () => {
  let database: Database;
  before(async () => {
    assert(postgresql);
    database = await postgresql.open();
  });
  after(() => database.close());

  /** Ends the session, so that what is sent over it in the same turn of the event loop fails. */
  const endSession = () =>
    assert.rejects(
      database.lookUps.query({
        name: '',
        text: 'select pg_terminate_backend(pg_backend_pid())',
        values: [],
      }),
      DatabaseUnavailableError,
    );

  test('whoever awaits the wait late sees the failure, and it is handled until then', async () => {
    const ended = endSession();
    const wait = releasesOf(database).wait(1);
    await ended;
    await delay(50);
    await assert.rejects(wait, DatabaseUnavailableError);
  });

  test('a postponed request that is dropped ends no process', async () => {
    const ended = endSession();
    new Postponed(releasesOf(database).wait(1));
    await ended;
    await delay(50);
    // The next wait is over a new session, once the loss of this one is known.
    await until(() =>
      releasesOf(database)
        .wait(1)
        .then(
          () => true,
          () => false,
        ),
    );
  });
});
