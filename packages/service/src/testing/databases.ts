// The databases that tests run on: the embedded one, and PostgreSQL if it is available.
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { createMigratedPostgresql } from './migrated-postgresql.js';
import { whyNoPostgresql } from './postgresql.js';

/** A database to run tests on. `skip` says why it is unavailable, and what to do. */
export type TestDatabase = {
  name: 'embedded' | 'PostgreSQL';
  skip: string | false;
  /** Opens a new, migrated one. */
  open(): Promise<Database>;
};

/**
 * The databases on which a file of tests runs: both, because everything must hold on both; in a run of all tests, the one that
 * is drawn for the file. Where PostgreSQL is absent, its tests are skipped and the others run.
 *
 * @param file the `import.meta.url` of the file
 */
export async function drawnDatabases(file: string): Promise<readonly TestDatabase[]> {
  const both = await testDatabases();
  if (both.some(({ skip }) => skip !== false)) return both;
  return drawCases(file.replace(/.*\/packages\//, ''), both, 1);
}

/** Both databases. */
export async function testDatabases(): Promise<TestDatabase[]> {
  return [
    { name: 'embedded', skip: false, open: openMigrated },
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
  const { url, drop } = await createMigratedPostgresql();
  const database = openPostgresql(url);
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
