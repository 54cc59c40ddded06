// Brings the database of production to the schema of this version: a step of its own, before servers start.
import type { Config } from './config.js';
import { findPendingMigrations, migrate } from './database/migrate.js';
import { onProductionDatabase } from './open-production-database.js';

/**
 * Applies the migrations that are pending, or tells them. Servers that run meanwhile, and others that migrate, do
 * no harm: a lock lets one apply, and the others find nothing more to do.
 *
 * @param options `check`: change nothing
 * @returns the migrations applied now, or pending
 * @throws NoDatabaseError when DATABASE_URL is not set or no address of PostgreSQL
 * @throws MigrationMismatchError when the database is of another or a newer version
 * @throws DatabaseUnavailableError when PostgreSQL does not answer
 */
export function migrateService(
  { check }: { check: boolean },
  given: Partial<Config> = {},
): Promise<string[]> {
  return onProductionDatabase(given, (database) =>
    check ? findPendingMigrations(database) : migrate(database),
  );
}
