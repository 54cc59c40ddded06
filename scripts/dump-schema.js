// Dumps the schema that all migrations create, with PostgreSQL's pg_dump, for people to read.
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';

const server = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** Why the schema cannot be dumped here, and what to do; `undefined` if it can be dumped. */
export async function whyNoDump() {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.end();
    execFileSync('pg_dump', ['--version']);
    return undefined;
  } catch {
    return `needs PostgreSQL at ${server} (or TEST_DATABASE_URL) and pg_dump`;
  }
}

/** Migrates a temporary database and dumps it, without lines that differ between servers or versions. */
export async function dumpSchema() {
  const name = `landfall_schema_${process.pid}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  try {
    const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    const database = openPostgresql(url);
    await migrate(database);
    await database.close();
    const dump = execFileSync('pg_dump', ['--schema-only', '--no-owner', '--no-privileges', url], {
      encoding: 'utf8',
    });
    const kept = dump
      .split('\n')
      .filter((line) => !/^(--|SET |SELECT pg_catalog|\\(un)?restrict)/.test(line))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
    return `-- The schema after all migrations. Generated: change packages/service/migrations/, then npm run generate.\n\n${kept}\n`;
  } finally {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
}
