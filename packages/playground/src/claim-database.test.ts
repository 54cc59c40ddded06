// A playground on PostgreSQL deletes nothing that is not its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { Landfall } from '../../client/dist/index.js';
import { createMigratedPostgresql } from '../../service/dist/testing/migrated-postgresql.js';
import { createPostgresql, whyNoPostgresql } from '../../service/dist/testing/postgresql.js';
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
