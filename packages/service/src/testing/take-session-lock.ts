// Takes a lock of a session from the process that holds it, as another process does whose turn comes first.
import assert from 'node:assert/strict';
import pg from 'pg';
import { SESSION_LOCK } from '../database/locks.js';
import { until } from './until.js';

/**
 * Ends the session that holds the lock, while another one waits for it.
 *
 * @param lock one of SESSION_LOCKS
 * @returns the session that has it now
 */
export async function takeSessionLock(url: string, lock: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  const other = new pg.Client({ connectionString: url });
  await Promise.all([client.connect(), other.connect()]);
  try {
    const { rows } = await other.query(
      `select pid from pg_locks
       where locktype = 'advisory' and granted and objsubid = 2 and (classid, objid) = ($1, $2)
         and database = (select oid from pg_database where datname = current_database())`,
      [SESSION_LOCK, lock],
    );
    assert.equal(rows.length, 1);
    const waiting = client.query(`select pg_advisory_lock(${SESSION_LOCK}, $1)`, [lock]);
    await until(async () => (await other.query('select from pg_locks where not granted')).rowCount);
    await other.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await waiting;
    return client;
  } finally {
    await other.end();
  }
}
