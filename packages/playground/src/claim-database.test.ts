// A playground on PostgreSQL deletes nothing that is not its own.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { Landfall } from '../../client/dist/index.js';
import { SESSION_LOCKS } from '../../service/dist/database/locks.js';
import { createMigratedPostgresql } from '../../service/dist/testing/migrated-postgresql.js';
import { createPostgresql, whyNoPostgresql } from '../../service/dist/testing/postgresql.js';
import { takeSessionLock } from '../../service/dist/testing/take-session-lock.js';
import { until } from '../../service/dist/testing/until.js';
import { startPlayground } from './index.js';

const skip = await whyNoPostgresql();

const refused = (message: RegExp) => ({ code: 'PLAYGROUND_OPTION', message });

async function read(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

test('a database with tables of another application is refused, and stays as it is', {
  skip,
}, async () => {
  const { url, run, drop } = await createPostgresql();
  try {
    await run('create table orders as select 1 as number');
    await assert.rejects(startPlayground({ databaseUrl: url }), refused(/\(orders\)/));
    assert.deepEqual(await read(url, 'select * from orders'), [{ number: 1 }]);
    assert.deepEqual(
      await read(
        url,
        `select tablename from pg_tables where schemaname in ('public', 'playground')`,
      ),
      [{ tablename: 'orders' }],
    );
  } finally {
    await drop();
  }
});

test('the database of a service is refused', { skip }, async () => {
  const { url, drop } = await createMigratedPostgresql();
  try {
    await assert.rejects(startPlayground({ databaseUrl: url }), refused(/databaseUrl/));
  } finally {
    await drop();
  }
});

test('an empty database is taken and found again; a reset leaves what somebody adds', {
  skip,
}, async () => {
  const { url, run, drop } = await createPostgresql();
  try {
    const first = await startPlayground({ databaseUrl: url });
    try {
      await assert.rejects(startPlayground({ databaseUrl: url }), refused(/another playground/));
      await run('create table orders as select 1 as number');
      await new Landfall(first.credentials('carrier')).presentHouseConsignment(parcel);
      await first.reset();
      assert.deepEqual(await read(url, 'select * from orders'), [{ number: 1 }]);
      assert.deepEqual(await read(url, 'select id from routing_signal'), []);
      await new Landfall(first.credentials('carrier')).presentHouseConsignment(parcel);
    } finally {
      await first.close();
    }
    await assert.rejects(startPlayground({ databaseUrl: url }), refused(/\(orders\)/));
    await run('drop table orders');
    await using again = await startPlayground({ databaseUrl: url });
    const { entries } = await new Landfall(again.credentials('carrier')).routingSignals();
    assert.equal(entries.length, 1);
  } finally {
    await drop();
  }
});

test('a playground whose connection was lost claims its database again, and another one is refused', {
  skip,
}, async () => {
  const { url, run, drop } = await createPostgresql();
  try {
    await using first = await startPlayground({ databaseUrl: url });
    await run(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await until(async () => {
      const held = await read(
        url,
        `select from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`,
      );
      return held.length > 0;
    });
    await assert.rejects(startPlayground({ databaseUrl: url }), refused(/another playground/));
    await new Landfall(first.credentials('carrier')).presentHouseConsignment(parcel);
  } finally {
    await drop();
  }
});

for (const hasEnded of [false, true]) {
  const who = hasEnded ? 'one that has ended since' : 'one that runs';
  test(`a playground ends and says so when another took its database meanwhile: ${who}`, {
    skip,
  }, async () => {
    const { url, run, drop } = await createPostgresql();
    try {
      await using first = await startPlayground({ databaseUrl: url });
      const other = await takeSessionLock(url, SESSION_LOCKS.playground);
      if (hasEnded) await run(`update playground.kept set value = 'other' where name = 'claim'`);
      if (hasEnded) await other.end();
      const reason = await first.endedByItself;
      assert.match(reason.message, /another playground took the database/);
      await assert.rejects(fetch(`${first.baseUrl}/livez`));
      await assert.rejects(first.reset(), { code: 'PLAYGROUND_CLOSED' });
      if (!hasEnded) await other.end();
    } finally {
      await drop();
    }
  });
}

test('a data folder is of one playground, wherever its database is', { skip }, async () => {
  const databases = [await createPostgresql(), await createPostgresql()] as const;
  const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  const start = (databaseUrl?: string) =>
    startPlayground({
      data,
      controlSecret: 'secret-of-the-operator',
      hosted: true,
      ...(databaseUrl !== undefined && { databaseUrl }),
    });
  const [one, other] = databases;
  const listKeys = async () =>
    (await readdir(join(data, 'hosted'))).filter((name) => name.startsWith('space-'));
  try {
    const first = await start(one.url);
    try {
      const signedUp = await fetch(`${first.baseUrl}/playground/hosting/spaces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ organisation: 'Nordic Freight' }),
      });
      assert.equal(signedUp.status, 201);
      for (const url of [other.url, undefined]) {
        await assert.rejects(start(url), { code: 'FOLDER_IN_USE' });
      }
    } finally {
      await first.close();
    }
    const keys = await listKeys();
    assert.equal(keys.length, 1);
    // The keys of spaces would be deleted, because this database does not know the spaces.
    for (const url of [other.url, undefined]) {
      await assert.rejects(start(url), refused(/keys of 1 hosted spaces of another database/));
    }
    assert.deepEqual(await listKeys(), keys);
    await mkdir(join(data, 'hosted', 'space-left-behind'));
    await (await start(one.url)).close();
    assert.deepEqual(await listKeys(), keys);
  } finally {
    for (const { drop } of databases) await drop();
    await rm(data, { recursive: true });
  }
});
