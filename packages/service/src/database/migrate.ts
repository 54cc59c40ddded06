// Brings a database to the schema that this version of the service needs.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Statement } from './database.js';
import { isLockTimeout } from './errors.js';
import { SESSION_LOCKS } from './locks.js';
import { type Migration, readMigrations } from './migration-files.js';
import {
  type AppliedMigration,
  findMigrationTable,
  insertMigration,
  selectAppliedMigrations,
  selectIndexState,
} from './queries.js';

/** An applied migration is not what this version of the service holds under its name. */
export class MigrationMismatchError extends Error {
  readonly code = 'MIGRATION_MISMATCH';
  override name = 'MigrationMismatchError';
}

/** A table stayed locked by others for as long as a migration was tried. */
export class MigrationBlockedError extends Error {
  readonly code = 'MIGRATION_BLOCKED';
  override name = 'MigrationBlockedError';
}

/** How a run of migrations goes, in lines for the person who watches it. */
export type ReportProgress = (line: string) => void;

/**
 * How long a migration waits for one lock, in milliseconds: while it waits, everybody who wants the same table waits
 * behind it.
 */
const LOCK_TIMEOUT_MS = 2000;

/** How often it is tried, and how long others have the table in between, in milliseconds. */
const MAX_ATTEMPTS = 30;
const BETWEEN_ATTEMPTS_MS = 3000;

/** How often a run checks whether another one has ended, in milliseconds. */
const POLL_INTERVAL_MS = 500;

/**
 * Applies the migrations that are not applied yet, each by itself: an interrupted run is taken up again where it was.
 * Of several at the same time, one applies and the others wait.
 *
 * @returns the names of those applied now
 * @throws MigrationMismatchError when an applied one was changed afterwards, or is of a newer version
 * @throws MigrationBlockedError when others held a lock that it needs for minutes
 */
export async function migrate(
  database: Database,
  report: ReportProgress = () => undefined,
  files?: readonly Migration[],
): Promise<string[]> {
  const migrations = files ?? (await readMigrations());
  const release = await waitForLock(database, report);
  try {
    await database.transact((transaction) =>
      transaction.run(`
        create table if not exists migration (
          name text collate "C" primary key, digest text not null, applied_at timestamptz not null default now())`),
    );
    const pending = findPending(
      migrations,
      await database.query<AppliedMigration>(selectAppliedMigrations),
    );
    for (const migration of pending) {
      report(`applying ${migration.name}: locks ${migration.locks}`);
      if (migration.concurrentIndex === undefined)
        await applyInTransaction(database, migration, report);
      else await buildIndex(database, migration, migration.concurrentIndex, report);
    }
    return pending.map(({ name }) => name);
  } finally {
    await release();
  }
}

/** The migrations that are not applied yet; changes nothing. Throws MigrationMismatchError. */
export async function findPendingMigrations(database: Database): Promise<Migration[]> {
  const [table] = await database.query<{ exists: boolean }>(findMigrationTable);
  const applied = table?.exists
    ? await database.query<AppliedMigration>(selectAppliedMigrations)
    : [];
  return findPending(await readMigrations(), applied);
}

/**
 * A lock of a session that is idle otherwise. Waiting for a lock in SQL would be a statement that is under way, for
 * whose end `create index concurrently` of the one who has the lock would wait in turn.
 */
async function waitForLock(
  database: Database,
  report: ReportProgress,
): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt++) {
    // When the session is lost, another run may begin: then recording a migration twice fails, and with it one of both.
    const release = await database.tryLock(SESSION_LOCKS.migration, () => undefined);
    if (release !== undefined) return release;
    if (attempt === 1) report('waiting for another "landfall admin migrate" to end');
    await delay(POLL_INTERVAL_MS);
  }
}

async function applyInTransaction(
  database: Database,
  migration: Migration,
  report: ReportProgress,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transact(async (transaction) => {
        await transaction.run(
          `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`,
        );
        await transaction.run(migration.script);
        await transaction.query(insertMigration(migration.name, migration.digest));
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt >= MAX_ATTEMPTS) {
        throw new MigrationBlockedError(
          `${migration.name} did not get its locks in ${MAX_ATTEMPTS} attempts: end what holds ${migration.locks}, and run it again`,
          { cause: error },
        );
      }
      report(`${migration.name} waits for a lock, attempt ${attempt} of ${MAX_ATTEMPTS}`);
      await delay(BETWEEN_ATTEMPTS_MS);
    }
  }
}

/** An index whose building was interrupted is there and not valid: it is dropped and built again. */
async function buildIndex(
  database: Database,
  migration: Migration,
  index: string,
  report: ReportProgress,
): Promise<void> {
  const [found] = await database.query<{ valid: boolean }>(selectIndexState(index));
  if (found?.valid === false) {
    report(`${migration.name}: removing ${index}, which an interrupted run left unfinished`);
    await database.query(statement(`drop index concurrently ${index}`));
  }
  if (!found?.valid) await database.query(statement(migration.script));
  await database.query(insertMigration(migration.name, migration.digest));
}

function statement(text: string): Statement {
  return { name: '', text, values: [] };
}

function findPending(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
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
