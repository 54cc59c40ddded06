// Brings the database of production to the schema of this version: a step of its own, before servers start.
import type { Config } from './config.js';
import { findPendingMigrations, migrate, type ReportProgress } from './database/migrate.js';
import { onProductionDatabase } from './open-production-database.js';

/** A migration by its file's name, and what it locks, in words. */
export type PendingMigration = { name: string; locks: string };

/**
 * Applies the migrations that are pending. Servers of the version before are stopped first, because their statements
 * may not fit the new tables; what they would be answered is 503, and nothing acknowledged is lost. Others that migrate
 * at the same time wait.
 *
 * @param report is given a line for each step
 * @returns the migrations applied now
 * @throws NoDatabaseError when DATABASE_URL is not set or no address of PostgreSQL
 * @throws MigrationMismatchError when the database is of another or a newer version
 * @throws MigrationBlockedError when others held a lock that it needs for minutes
 * @throws DatabaseUnavailableError when PostgreSQL does not answer
 */
export function migrateService(
  report: ReportProgress,
  given: Partial<Config> = {},
): Promise<string[]> {
  return onProductionDatabase(given, (database) => migrate(database, report));
}

/** The migrations that are pending; changes nothing. Throws as `migrateService` does. */
export function checkMigrations(given: Partial<Config> = {}): Promise<PendingMigration[]> {
  return onProductionDatabase(given, async (database) =>
    (await findPendingMigrations(database)).map(({ name, locks }) => ({ name, locks })),
  );
}
