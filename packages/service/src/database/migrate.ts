// Brings a database to the schema that this version of the service needs.
import { setTimeout as delay } from 'node:timers/promises';
import { applyMigration, type ReportProgress } from './apply-migration.js';
import type { Database } from './database.js';
import { SESSION_LOCKS } from './locks.js';
import { type Migration, readMigrations } from './migration-files.js';
import {
  type AppliedMigration,
  createMigrationTables,
  findMigrationTable,
  selectAppliedMigrations,
} from './queries.js';
import { worksWith } from './releases.js';

/** An applied migration is not what this version of the service holds under its name. */
export class MigrationMismatchError extends Error {
  readonly code = 'MIGRATION_MISMATCH';
  override name = 'MigrationMismatchError';
}

/** How often a run checks whether another one has ended, in milliseconds. */
const POLL_INTERVAL_MS = 500;

/**
 * Applies the migrations that are not applied yet, each by itself: an interrupted run is taken up again where it was.
 * Of several at the same time, one applies and the others wait.
 *
 * @returns the names of those applied now
 * @throws MigrationMismatchError when an applied one was changed afterwards, or does not work with this version
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
    await database.transact((transaction) => transaction.run(createMigrationTables));
    const pending = findPending(migrations, await database.query(selectAppliedMigrations));
    for (const migration of pending) {
      report(`applying ${migration.name}: locks ${migration.locks}`);
      await applyMigration(database, migration, report);
    }
    return pending.map(({ name }) => name);
  } finally {
    await release();
  }
}

/**
 * The migrations that are not applied yet; changes nothing. Those of the next release may be applied: servers of this
 * one run beside its servers. Throws MigrationMismatchError.
 */
export async function findPendingMigrations(database: Database): Promise<Migration[]> {
  const [table] = await database.query(findMigrationTable);
  const applied = table?.exists ? await database.query(selectAppliedMigrations) : [];
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

function findPending(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const known = new Map(migrations.map(({ name, digest }) => [name, digest]));
  for (const { name, digest, oldestVersion } of applied) {
    const ours = known.get(name);
    if (ours === undefined) {
      if (worksWith(oldestVersion)) continue;
      throw new MigrationMismatchError(
        `the database has ${name}, which this version does not know: version ${oldestVersion ?? 'of that migration'} or newer is needed`,
      );
    }
    if (ours !== digest) {
      throw new MigrationMismatchError(
        `${name} is not the one that was applied to the database: use the version that applied it, or see docs/guide/operate.md#migrations-that-differ`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
