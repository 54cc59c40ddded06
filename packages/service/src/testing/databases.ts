// The databases that tests run on: the embedded one, and PostgreSQL if it is available.
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { createPostgresql, whyNoPostgresql } from './postgresql.js';

/** A database to run tests on. `skip` says why it is unavailable, and what to do. */
export type TestDatabase = {
  name: 'embedded' | 'PostgreSQL';
  skip: string | false;
  /** Opens a new, migrated one. */
  open(): Promise<Database>;
};

/** Why tests leave out the embedded database; `scripts/test.js` does not count them as skipped. */
const LEFT_OUT = 'TEST_DATABASES is PostgreSQL';

/**
 * Both databases. Tests loop over them, because everything must hold on both. With `TEST_DATABASES=PostgreSQL` they
 * leave out the embedded one.
 */
export async function testDatabases(): Promise<TestDatabase[]> {
  const leftOut = process.env.TEST_DATABASES === 'PostgreSQL' && LEFT_OUT;
  return [
    { name: 'embedded', skip: leftOut, open: openMigrated },
    { name: 'PostgreSQL', skip: await whyNoPostgresql(), open: openFreshPostgresql },
  ];
}

async function openMigrated(): Promise<Database> {
  const database = await openInMemory();
  await migrate(database);
  return database;
}

/** A separate database for each test, dropped when it is closed. */
async function openFreshPostgresql(): Promise<Database> {
  const { url, drop } = await createPostgresql();
  const database = openPostgresql(url);
  await migrate(database);
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
