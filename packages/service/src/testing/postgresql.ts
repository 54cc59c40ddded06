// Databases on the PostgreSQL server of the tests, for the tests of every package.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

const server = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

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
    await on(server, 'select 1');
    return false;
  } catch {
    return `no PostgreSQL at ${server}: start one there, or name one in TEST_DATABASE_URL`;
  }
}

/** Creates an empty database. */
export async function createPostgresql(): Promise<TestPostgresql> {
  const name = `landfall_test_${randomUUID().replaceAll('-', '')}`;
  await on(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    run: (statement, values) => on(url.href, statement, values),
    drop: () => on(server, `drop database if exists ${name} with (force)`),
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
