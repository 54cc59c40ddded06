// Transactions on both databases: atomic, in order, and with a clear error when the database is away.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { createPostgresql } from '../testing/postgresql.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { openPostgresql } from './postgresql.js';
import { requireTransaction } from './queries.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

const databases = await testDatabases();

for (const { name, skip, open } of databases) {
  describe(`transactions on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await database.query(statement('create table note (number integer primary key)'));
    });
    after(() => database.close());

    const numbers = async () =>
      (
        await database.query<{ number: number }>(statement('select number from note order by 1'))
      ).map(({ number }) => number);
    const insert = (number: number) => statement('insert into note values ($1)', [number]);

    test('a commit gives the rows of each statement', async () => {
      const rows = await database.commit([insert(1), statement('select 7 as seven'), insert(2)]);
      assert.deepEqual(rows, [[], [{ seven: 7 }], []]);
      assert.deepEqual(await numbers(), [1, 2]);
    });

    test('when one statement fails, all are rolled back, and the session stays usable', async () => {
      await assert.rejects(database.commit([insert(3), insert(1), insert(4)]), /duplicate key/);
      assert.deepEqual(await numbers(), [1, 2]);
      await database.commit([insert(5)]);
      assert.deepEqual(await numbers(), [1, 2, 5]);
    });

    test('an interactive transaction is rolled back when its work throws, whose error it gives', async () => {
      await assert.rejects(
        database.transact(async (transaction) => {
          await transaction.query(insert(6));
          throw new RangeError('changed my mind');
        }),
        RangeError,
      );
      assert.deepEqual(await numbers(), [1, 2, 5]);
    });

    test('commits that are sent one after the other are carried out so, and never within a transaction', async () => {
      const order: string[] = [];
      const seen = (number: number) =>
        statement('select count(*)::integer as found from note where number = $1', [number]);
      const found = (rows: object[][]) => rows.flat().map((row) => Object.values(row)[0]);
      const [first, inside, second, third] = await Promise.all([
        database.commit([insert(20), seen(20)]),
        database.transact(async (transaction) => {
          order.push('begun');
          await transaction.query(insert(21));
          const rows = await transaction.query(seen(22));
          order.push('ended');
          return rows;
        }),
        database.commit([seen(20), insert(22), seen(21)]).then((rows) => {
          order.push('committed');
          return rows;
        }),
        database.commit([seen(22)]),
      ]);
      assert.deepEqual(found(first), [1]);
      assert.equal(found(second)[0], 1);
      assert.deepEqual(found(third), [1]);
      // On PostgreSQL the transaction has a session of its own, and may come before or after.
      if (database.kind === 'embedded') {
        assert.deepEqual(found([inside]), [0]);
        assert.deepEqual(found(second), [1, 1]);
        assert.deepEqual(order, ['begun', 'ended', 'committed']);
      }
    });

    test('values come as they are: bigint as number, text with quotes, arrays with nothing in them', async () => {
      const [row] = await database.query(
        statement('select $1::bigint as big, $2::text as text, $3::text[] as texts', [
          9_007_199_254_740_991,
          `it's "quoted" \\ {and} ünïcode`,
          ['a,b', null, '"', 'null'],
        ]),
      );
      assert.deepEqual(row, {
        big: 9_007_199_254_740_991,
        text: `it's "quoted" \\ {and} ünïcode`,
        texts: ['a,b', null, '"', 'null'],
      });
    });
  });
}

// The embedded database has one session, which migrates before it does anything else.
for (const { name, skip, open } of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test(`a session that was open when the tables changed is replaced on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    try {
      await database.query(statement('create table note (text text); insert into note values (1)'));
      const read = { name: 'read-note', text: 'select text from note', values: [] };
      const ways = {
        query: () => database.query(read),
        'look-up': () => database.lookUps.query(read),
        commit: async () => (await database.commit([read]))[0],
        transaction: () => database.transact((transaction) => transaction.query(read)),
        lane: () => database.transact((transaction) => transaction.query(read), 'large'),
      };
      for (const [way, run] of Object.entries(ways)) {
        assert.deepEqual(await run(), [{ text: '1' }], way);
        await database.query(
          statement('alter table note alter text type integer using text::integer'),
        );
        await assert.rejects(run(), DatabaseUnavailableError, way);
        assert.deepEqual(await run(), [{ text: 1 }], way);
        await database.query(statement('alter table note alter text type text'));
        await assert.rejects(run(), DatabaseUnavailableError, way);
      }
    } finally {
      await database.close();
    }
  });
}

test('a database that cannot be reached is reported as unavailable by every kind of call', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const database = openPostgresql(`postgresql://postgres@127.0.0.1:${port}/postgres`);
  await assert.rejects(database.query(statement('select 1')), DatabaseUnavailableError);
  await assert.rejects(database.commit([]), DatabaseUnavailableError);
  await assert.rejects(
    database.transact(async () => undefined),
    DatabaseUnavailableError,
  );
  await database.close();
});

describe('a transaction that the server could not begin', {
  skip: databases[1]?.skip ?? true,
}, () => {
  test('runs none of the statements that were sent with it, and the next one is carried out', async (context) => {
    const { url, drop } = await createMigratedPostgresql();
    const { hostname, port } = new URL(url);
    let isSpoiled = false;
    // Every BEGIN is refused while it is spoiled, and everything else is forwarded.
    const proxy = createServer((client) => {
      const server = connect(Number(port || 5432), hostname);
      client.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        const sent = isSpoiled ? text.replaceAll('begin', 'begun') : text;
        server.write(Buffer.from(sent, 'latin1'));
      });
      server.on('data', (chunk) => client.write(chunk));
      for (const socket of [client, server]) {
        socket.on('error', () => undefined);
        socket.on('close', () => [client, server].map((other) => other.destroy()));
      }
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const own = proxy.address();
    const target = new URL(url);
    target.port = String(typeof own === 'object' && own !== null ? own.port : 0);
    target.hostname = '127.0.0.1';
    const database = openPostgresql(target.href);
    context.after(async () => {
      await database.close();
      proxy.close();
      await drop();
    });
    await database.query(statement('create table note (number integer)'));
    const insert = statement('insert into note values (1)');
    const count = () => database.query(statement('select count(*)::integer as notes from note'));
    await database.commit([insert]);
    isSpoiled = true;
    await assert.rejects(database.commit([insert, insert]));
    isSpoiled = false;
    assert.deepEqual(await count(), [{ notes: 1 }]);
    await database.commit([insert]).catch(() => database.commit([insert]));
    assert.deepEqual(await count(), [{ notes: 2 }]);
  });
});

const [, { skip: skipGuard } = { skip: 'no PostgreSQL' }] = databases;

test('statements are not carried out without a transaction, whatever the database is set to', {
  skip: skipGuard,
}, async () => {
  const { url, run, drop } = await createPostgresql();
  const { pathname } = new URL(url);
  await run(`alter database ${pathname.slice(1)} set default_transaction_deferrable = on`);
  const database = openPostgresql(url);
  try {
    await assert.rejects(database.query(requireTransaction), DatabaseUnavailableError);
    const rows = await database.commit([statement('select 1 as one')]);
    assert.deepEqual(rows, [[{ one: 1 }]]);
  } finally {
    await database.close();
    await drop();
  }
});
