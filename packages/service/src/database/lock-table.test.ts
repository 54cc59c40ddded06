// PostgreSQL's lock table has a size, which bounds how many organisations one transaction may affect.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findLimits } from '../production/check-safety.js';
import {
  makeOwnPostgresql,
  type OwnPostgresql,
  whyNoOwnPostgresql,
} from '../testing/own-postgresql.js';
import { DatabaseUnavailableError } from './errors.js';
import { FEED_LOCK } from './locks.js';
import { openPostgresql } from './postgresql.js';

describe('the lock table', { skip: whyNoOwnPostgresql() }, () => {
  let cluster: OwnPostgresql;
  before(async () => {
    cluster = await makeOwnPostgresql();
  });
  after(() => cluster?.remove());

  /** Takes as many locks in one transaction as that many organisations need. */
  async function lock(organisations: number, settings: Record<string, string>) {
    await cluster.start(settings);
    const database = openPostgresql(cluster.url);
    try {
      const limits = await findLimits(database);
      await database.commit(
        [
          {
            name: '',
            text: `select count(pg_advisory_xact_lock(${FEED_LOCK}, organisation)) from generate_series(1, $1) organisation`,
            values: [organisations],
          },
        ],
        'large',
      );
      return limits;
    } finally {
      await database.close();
      await cluster.stop();
    }
  }

  test('that is too small is reported at the start, and by an error that names the setting', async () => {
    const settings = { max_locks_per_transaction: '10', max_connections: '20' };
    await assert.rejects(lock(20_000, settings), (error) => {
      assert(error instanceof DatabaseUnavailableError);
      assert.match(error.message, /more organisations .* raise max_locks_per_transaction/);
      return true;
    });
    const [limit, ...others] = await lock(1, settings);
    assert.match(limit ?? '', /^one request can affect some 100 organisations/);
    assert.deepEqual(others, []);
  });

  test('that is large enough is not reported', async () => {
    const settings = { max_locks_per_transaction: '256', max_connections: '100' };
    assert.deepEqual(await lock(20_000, settings), []);
  });
});
