// Databases on the PostgreSQL server of the tests, for the tests of every package.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The address of the server. */
export const testServer =
  process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** A database of a test. */
export type TestPostgresql = {
  url: string;
  /** Runs one statement on it. */
  run(statement: string, values?: readonly unknown[]): Promise<void>;
  drop(): Promise<void>;
};

/** Why tests on PostgreSQL are skipped, and what to do. In CI nothing is skipped: a missing server fails them. */
export async function whyNoPostgresql(): Promise<string | false> {
  if (process.env.CI === 'true') return false;
  try {
    await on(testServer, 'select 1');
    return false;
  } catch {
    return `no PostgreSQL at ${testServer}: start one there, or name one in TEST_DATABASE_URL`;
  }
}

/** Creates a database: an empty one, or a copy of a template. */
export async function createPostgresql(template = 'template1'): Promise<TestPostgresql> {
  const name = `landfall_test_${randomUUID().replaceAll('-', '')}`;
  await on(testServer, `create database ${name} template ${template}`);
  const url = new URL(testServer);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    run: (statement, values) => on(url.href, statement, values),
    drop: () => on(testServer, `drop database if exists ${name} with (force)`),
  };
}

async function on(url: string, statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}
