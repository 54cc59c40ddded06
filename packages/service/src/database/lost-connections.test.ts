// Connections that are lost silently, or on which the driver fails: detected, closed and replaced.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testDatabases } from '../testing/databases.js';
import { type FreezingProxy, startFreezingProxy } from '../testing/freezing-proxy.js';
import { createPostgresql } from '../testing/postgresql.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { openPostgresql } from './postgresql.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

/** Far above what is promised (2 s for readiness, some 12 s for a session), and far below minutes. */
const BOUND_MS = 60_000;

const [, { skip } = { skip: 'no PostgreSQL' }] = await testDatabases();

describe('connections to PostgreSQL behind a proxy', { skip }, () => {
  let proxy: FreezingProxy;
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createPostgresql();
    drop = created.drop;
    proxy = await startFreezingProxy(created.url);
    database = openPostgresql(proxy.url, { connections: 3 });
  });
  after(async () => {
    await database?.close();
    await proxy?.close();
    await drop?.();
  });

  /** Every kind of session that requests use. */
  const ways: Record<string, () => Promise<unknown>> = {
    small: () => database.commit([statement('select 1')], 'small'),
    large: () =>
      database.transact((transaction) => transaction.query(statement('select 1')), 'large'),
    stream: () => database.commit([statement('select 1')], 'stream'),
    'look-ups': () => database.lookUps.query(statement('select 1')),
    pool: () => Promise.all([1, 2, 3].map(() => database.query(statement('select 1')))),
  };
  const useAll = () => Promise.all(Object.values(ways).map((use) => use()));

  /** Fails when it takes longer than the bound. */
  async function withinBound<Result>(what: string, work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what} hung`)), BOUND_MS);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  test('that freeze are given up, each request on them fails, and new sessions serve the next', async () => {
    await useAll();
    assert.ok(proxy.connections() >= 7);
    proxy.freeze();
    for (const [name, use] of Object.entries(ways)) {
      await withinBound(name, assert.rejects(use(), DatabaseUnavailableError, name));
    }
    // Idle sessions of the pool are replaced one by one, or together by a readiness check.
    await withinBound('readiness', untilReady());
    await withinBound('the next requests', useAll());
  });

  test('that all freeze make it not ready within two seconds, until the network is back', async () => {
    await useAll();
    await database.checkReady();
    proxy.freeze('all');
    const started = performance.now();
    await assert.rejects(database.checkReady(), DatabaseUnavailableError);
    const took = performance.now() - started;
    assert.ok(took < 10_000, `not ready after ${took} ms`);
    const inFlight = Object.entries(ways).map(([name, use]) =>
      withinBound(name, assert.rejects(use(), DatabaseUnavailableError, name)),
    );
    await Promise.all(inFlight);
    proxy.thaw();
    await withinBound('readiness', untilReady());
    await withinBound('the next requests', useAll());
  });

  test('whose frozen session is idle are found by readiness alone', async () => {
    await useAll();
    proxy.freeze();
    await withinBound('readiness', assert.rejects(database.checkReady(), DatabaseUnavailableError));
    await withinBound('readiness', untilReady());
    await withinBound('the next requests', useAll());
  });

  test('are left alone while the server works on a statement that takes long', async () => {
    const [slow] = await Promise.all([
      database.commit([statement('select pg_sleep(6)'), statement('select 7 as seven')], 'large'),
      database.transact((transaction) => transaction.query(statement('select pg_sleep(6)'))),
    ]);
    assert.deepEqual(slow[1], [{ seven: 7 }]);
  });

  test('on which the driver fails to read are ended, and the process is not', async () => {
    await useAll();
    const pending = Promise.all(
      [
        database.query(statement('select pg_sleep(5)')),
        database.commit([statement('select pg_sleep(5)')]),
        database.lookUps.query(statement('select pg_sleep(4)')),
      ].map((request) => assert.rejects(request, DatabaseUnavailableError)),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    // An authentication request of a kind that the driver does not know: its parser throws.
    proxy.inject(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99]));
    await withinBound('a reply that cannot be read', pending);
    await withinBound('readiness', untilReady());
    await withinBound('the next requests', useAll());
  });

  test('are closed within a bound when the other side is silent', async () => {
    const own = openPostgresql(proxy.url);
    await own.commit([statement('select 1')]);
    await own.query(statement('select 1'));
    proxy.freeze();
    await withinBound('closing', own.close());
    await withinBound('readiness', untilReady());
  });

  async function untilReady(): Promise<void> {
    for (;;) {
      try {
        return await database.checkReady();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
});
