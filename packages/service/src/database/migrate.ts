// Brings a database to the schema that this version of the service needs.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Database, Queryable } from './database.js';
import { MIGRATION_LOCK } from './locks.js';

/** One numbered SQL file of `migrations/`. */
export type Migration = { name: string; script: string; digest: string };

/** An applied migration is not what this version of the service holds under its name. */
export class MigrationMismatchError extends Error {
  readonly code = 'MIGRATION_MISMATCH';
  override name = 'MigrationMismatchError';
}

const folder = new URL('../../migrations/', import.meta.url);

/** The migrations of this version, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const script = await readFile(new URL(name, folder), 'utf8');
      return { name, script, digest: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

/**
 * Applies the migrations that are not applied yet, in one transaction under a lock: safe when several servers
 * start at once.
 *
 * @returns the names of those applied now
 * @throws MigrationMismatchError when an applied one was changed afterwards, or is of a newer version
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrations = await readMigrations();
  return database.transact(async (transaction) => {
    await transaction.run(`
      select pg_advisory_xact_lock(${MIGRATION_LOCK});
      create table if not exists migration (
        name text collate "C" primary key, digest text not null, applied_at timestamptz not null default now())`);
    const applied = await readApplied(transaction);
    const pending = findPending(migrations, applied);
    for (const { name, script, digest } of pending) {
      await transaction.run(script);
      await transaction.query({
        name: 'record-migration',
        text: 'insert into migration (name, digest) values ($1, $2)',
        values: [name, digest],
      });
    }
    return pending.map(({ name }) => name);
  });
}

/**
 * The migrations that are not applied yet; changes nothing.
 *
 * @throws MigrationMismatchError when an applied one was changed afterwards, or is of a newer version
 */
export async function findPendingMigrations(database: Database): Promise<string[]> {
  const [made] = await database.query<{ made: boolean }>({
    name: 'migrations-made',
    text: `select to_regclass('migration') is not null as made`,
    values: [],
  });
  const applied = made?.made ? await readApplied(database) : [];
  return findPending(await readMigrations(), applied).map(({ name }) => name);
}

function readApplied(transaction: Queryable): Promise<{ name: string; digest: string }[]> {
  return transaction.query({
    name: 'read-applied-migrations',
    text: 'select name, digest from migration order by name',
    values: [],
  });
}

function findPending(
  migrations: readonly Migration[],
  applied: readonly { name: string; digest: string }[],
): Migration[] {
  const known = new Map(migrations.map(({ name, digest }) => [name, digest]));
  for (const { name, digest } of applied) {
    const ours = known.get(name);
    if (ours === undefined) {
      throw new MigrationMismatchError(
        `the database has ${name}, which this version does not know`,
      );
    }
    if (ours !== digest) {
      throw new MigrationMismatchError(`${name} was changed after it was applied to the database`);
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
