// Migrated databases on the PostgreSQL server of the tests: copies of one template, which take a third of the time of
// migrating each.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { SESSION_LOCK, SESSION_LOCKS } from '../database/locks.js';
import { migrate } from '../database/migrate.js';
import { readMigrations } from '../database/migration-files.js';
import { openPostgresql } from '../database/postgresql.js';
import { createMigrationTables } from '../database/queries.js';
import { createPostgresql, type TestPostgresql, testServer } from './postgresql.js';

const PREFIX = 'landfall_template_';

/** A template is used on one day, and removed this many days later: other checkouts may still use theirs. */
const KEPT_DAYS = 2;

let template: Promise<string> | undefined;

/** Creates a migrated database. */
export async function createMigratedPostgresql(): Promise<TestPostgresql> {
  template ??= prepareTemplate();
  return createPostgresql(await template);
}

/** Makes the template of these migrations and this day if it is missing; returns its name. */
async function prepareTemplate(): Promise<string> {
  const day = Math.floor(Date.now() / 86_400_000);
  const name = `${PREFIX}${day}_${await digestOfMigrations()}`;
  const server = new pg.Client({ connectionString: testServer });
  await server.connect();
  try {
    // Many files of tests start at once: one makes the template, and the others wait for it.
    await server.query(`select pg_advisory_lock(${SESSION_LOCK}, ${SESSION_LOCKS.migration})`);
    const existing = await listTemplates(server);
    if (!existing.includes(name)) {
      await makeTemplate(server, name);
      for (const old of existing.filter((other) => dayOf(other) <= day - KEPT_DAYS)) {
        await server.query(`drop database if exists ${old}`);
      }
    }
  } finally {
    await server.end();
  }
  return name;
}

async function digestOfMigrations(): Promise<string> {
  const digest = createHash('sha256').update(createMigrationTables);
  for (const { name, digest: ofText } of await readMigrations()) digest.update(name).update(ofText);
  return digest.digest('hex').slice(0, 16);
}

async function listTemplates(server: pg.Client): Promise<string[]> {
  const { rows } = await server.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [PREFIX],
  );
  return rows.map(({ name }) => name);
}

function dayOf(name: string): number {
  return Number(name.slice(PREFIX.length).split('_', 1)[0]);
}

/** A template has its name only when it is complete. */
async function makeTemplate(server: pg.Client, name: string): Promise<void> {
  const { url, drop } = await createPostgresql();
  const database = openPostgresql(url);
  try {
    await migrate(database);
    await database.close();
    await server.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
  } catch (error) {
    await database.close();
    await drop();
    throw error;
  }
}
