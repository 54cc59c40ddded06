// Brings the database of production to the schema of this version: a step of its own, before servers start.
import { isPostgresqlAddress } from './check-safety.js';
import { type Config, readConfig } from './config.js';
import { findPendingMigrations, migrate } from './database/migrate.js';
import { openPostgresql } from './database/postgresql.js';

/** There is no address of a database. */
export class NoDatabaseError extends Error {
  readonly code = 'NO_DATABASE';
  override name = 'NoDatabaseError';
}

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
export async function migrateService(
  { check }: { check: boolean },
  given: Partial<Config> = {},
): Promise<string[]> {
  const { databaseUrl } = readConfig(process.env, given);
  if (databaseUrl === '') throw new NoDatabaseError('DATABASE_URL is not set');
  if (!isPostgresqlAddress(databaseUrl)) {
    throw new NoDatabaseError('DATABASE_URL is not an address that begins with postgresql://');
  }
  const database = openPostgresql(databaseUrl);
  try {
    return await (check ? findPendingMigrations(database) : migrate(database));
  } finally {
    await database.close();
  }
}
