// The databases that tests run on: the embedded one, and PostgreSQL if it is available.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';

/** A database to run tests on. `skip` says why it is unavailable, and what to do. */
export type TestDatabase = {
  name: 'embedded' | 'PostgreSQL';
  skip: string | false;
  /** Opens a new, migrated one. */
  open(): Promise<Database>;
};

const server = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** Both databases. Tests loop over them, because everything must hold on both. */
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

/** Creates an empty database on the test server, for tests that open it more than once. */
export async function createPostgresql(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `landfall_test_${randomUUID().replaceAll('-', '')}`;
  await onServer((client) => client.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer((client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** In CI nothing is skipped: a missing server fails the tests that need it. */
async function whyNoPostgresql(): Promise<string | false> {
  if (process.env.CI === 'true') return false;
  try {
    await onServer(async () => undefined);
    return false;
  } catch {
    return `no PostgreSQL at ${server}: start one there, or name one in TEST_DATABASE_URL`;
  }
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
