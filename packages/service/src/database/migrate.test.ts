// Migrations: each by itself, with short lock waits, resumed after an interruption, by the rule of CONTRIBUTING.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testDatabases } from '../testing/databases.js';
import { createPostgresql } from '../testing/postgresql.js';
import type { Database } from './database.js';
import { findPendingMigrations, migrate } from './migrate.js';
import { MigrationFormatError, readMigration, readMigrations } from './migration-files.js';
import { openPostgresql } from './postgresql.js';
import { previousVersion } from './releases.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

const TABLE = readMigration(
  '9001-table.sql',
  '-- locks: nothing\ncreate table note (number integer);',
);
const COLUMN = readMigration(
  '9002-column.sql',
  '-- locks: note, for a moment\nalter table note add column text text;',
);
const INDEX = readMigration(
  '9003-index.sql',
  '-- concurrently\n-- locks: nothing\ncreate index concurrently note_number on note (number);\n',
);
const FAILING = readMigration('9004-failing.sql', '-- locks: nothing\nselect 1 / 0;');

test('indexes of existing tables are built concurrently', async () => {
  for (const { name, script, concurrentIndex } of await readMigrations()) {
    if (concurrentIndex !== undefined) continue;
    const created = [...script.matchAll(/create table (\w+)/g)].map(([, table]) => table);
    for (const [text, table = ''] of script.matchAll(/create (?:unique )?index .*?\bon (\w+)/g)) {
      assert.ok(created.includes(table), `${name}: "${text}" is to be built concurrently`);
    }
  }
});

test('migrations are numbered without a gap, and no two have one number', async () => {
  const numbers = (await readMigrations()).map(({ name }) => Number(/^\d{4}(?=-)/.exec(name)?.[0]));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  );
});

test('one that does not say what it locks is refused', () => {
  assert.throws(() => readMigration('9000-x.sql', 'create table note ();'), MigrationFormatError);
});

test('one that is to run outside a transaction is one index, or is refused', () => {
  for (const script of [
    'create table note ();',
    'create index concurrently a on b (c); select 1;',
  ]) {
    assert.throws(
      () => readMigration('9000-x.sql', `-- concurrently\n-- locks: nothing\n${script}`),
      MigrationFormatError,
    );
  }
});

for (const { name, skip, open } of await testDatabases()) {
  test(`each is applied by itself on ${name}, and what is applied stays when a later one fails`, {
    skip,
  }, async () => {
    const database = await open();
    const all = [...(await readMigrations()), TABLE, COLUMN, INDEX, FAILING];
    const lines: string[] = [];
    try {
      await assert.rejects(
        migrate(database, (line) => lines.push(line), all),
        /division by zero/,
      );
      assert.deepEqual(lines, [
        'applying 9001-table.sql: locks nothing',
        'applying 9002-column.sql: locks note, for a moment',
        'applying 9003-index.sql: locks nothing',
        'applying 9004-failing.sql: locks nothing',
      ]);
      assert.deepEqual(await migrate(database, undefined, all.slice(0, -1)), []);
      assert.equal(await isValid(database), true);
    } finally {
      await database.close();
    }
  });
}

test('a migration of the next release may be applied, one of a later release not', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  assert.ok(database);
  const record = (oldestVersion: string | null) =>
    database.query(
      statement(
        `insert into migration (name, digest, oldest_version) values ('9999-later.sql', 'x', $1)
         on conflict (name) do update set oldest_version = excluded.oldest_version`,
        [oldestVersion],
      ),
    );
  try {
    for (const version of [previousVersion, '0.0.9']) {
      await record(version);
      assert.deepEqual(await findPendingMigrations(database), []);
      assert.deepEqual(await migrate(database), []);
    }
    for (const version of ['99.0.0', '0.99.0', '0.1.99', null]) {
      await record(version);
      for (const run of [findPendingMigrations, migrate]) {
        await assert.rejects(run(database), {
          name: 'MigrationMismatchError',
          message:
            /has 9999-later\.sql, which this version does not know: version .* or newer is needed/,
        });
      }
    }
  } finally {
    await database.close();
  }
});

test('each migration is recorded with the oldest version whose servers work with it', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  assert.ok(database);
  try {
    await migrate(database, undefined, [...(await readMigrations()), TABLE, INDEX]);
    assert.deepEqual(
      await database.query(
        statement(`select distinct oldest_version as version from migration where name like '9%'`),
      ),
      [{ version: previousVersion }],
    );
  } finally {
    await database.close();
  }
});

const [, { skip } = { skip: 'no PostgreSQL' }] = await testDatabases();

describe('on PostgreSQL', { skip }, () => {
  test('a migration that waits for a lock blocks no other requests, and is applied when the lock is free', async () => {
    await onTwo(async (first, second) => {
      await migrate(first, undefined, [TABLE]);
      const lines: string[] = [];
      let migrated: Promise<string[]> = Promise.resolve([]);
      await second.transact(async (transaction) => {
        await transaction.query(statement('select from note'));
        migrated = migrate(first, (line) => lines.push(line), [TABLE, COLUMN]);
        migrated.catch(() => undefined);
        while (!lines.some((line) => /waits for a lock, attempt 1/.test(line))) {
          // Keeps the transaction open, and in use.
          await transaction.query(statement('select pg_sleep(0.1)'));
        }
        await second.query(statement('select from note'));
      });
      assert.deepEqual(await migrated, [COLUMN.name]);
    });
  });

  test('an index whose building was interrupted is built again, and a second run waits for the first', async () => {
    await onTwo(async (first, second) => {
      await migrate(first, undefined, [TABLE]);
      await first.query(statement('insert into note values (1), (1)'));
      // A unique index that cannot be built is left behind as an interrupted one is: there, and not valid.
      await assert.rejects(
        first.query(statement('create unique index concurrently note_number on note (number)')),
        /duplicated|unique/,
      );
      assert.equal(await isValid(first), false);
      const lines: string[] = [];
      const files = [TABLE, INDEX];
      let runs: Promise<string[][]> = Promise.resolve([]);
      // The first run waits for this transaction, so it does not end before the second one begins.
      await second.transact(async (transaction) => {
        await transaction.query(statement('select from note'));
        runs = Promise.all([
          migrate(first, (line) => lines.push(line), files),
          migrate(second, (line) => lines.push(line), files),
        ]);
        runs.catch(() => undefined);
        for (let attempt = 1; !lines.some((line) => /waiting for another/.test(line)); attempt++) {
          assert.ok(attempt < 300, 'no run waits for the other');
          await transaction.query(statement('select pg_sleep(0.1)'));
        }
      });
      assert.deepEqual((await runs).flat(), [INDEX.name]);
      assert.equal(await isValid(first), true);
      assert.ok(lines.some((line) => /removing note_number/.test(line)));
    });
  });

  async function onTwo(work: (first: Database, second: Database) => Promise<void>) {
    const { url, drop } = await createPostgresql();
    const databases = [openPostgresql(url, { maintenance: true }), openPostgresql(url)] as const;
    try {
      await work(...databases);
    } finally {
      await Promise.all(databases.map((database) => database.close()));
      await drop();
    }
  }
});

async function isValid(database: Database): Promise<boolean | undefined> {
  const [row] = await database.query<{ valid: boolean }>(
    statement(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('note_number')`,
    ),
  );
  return row?.valid;
}
