// Steps on the database of production that need no running server: migrations, and the first grant of scopes.
import type { ScopeName } from '@landfall/contract';
import type { ScopesGranted } from '../access/grant-scopes.js';
import { type Config, readConfig } from '../config.js';
import type { ReportProgress } from '../database/apply-migration.js';
import type { Database } from '../database/database.js';
import { findPendingMigrations, migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { checkAddress, checkSchema, UnsafeError } from './check-safety.js';
import { selectSharedKeys } from './queries.js';
import { checkPassword, makePasswordReader } from './read-database-password.js';

/** There is no address of a database, or the database cannot be used. */
export class NoDatabaseError extends Error {
  readonly code = 'NO_DATABASE';
  override name = 'NoDatabaseError';
}

/** Opens the database at DATABASE_URL, runs the step and closes the database. Throws NoDatabaseError. */
export async function withProductionDatabase<Result>(
  given: Partial<Config>,
  step: (database: Database) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env, given);
  const { databaseUrl } = config;
  if (databaseUrl === '') throw new NoDatabaseError('DATABASE_URL is not set');
  const reason = checkAddress(databaseUrl, config);
  if (reason !== undefined) throw new NoDatabaseError(reason);
  const [unusable] = await checkPassword({ ...config, readDatabaseUrl: '' });
  if (unusable !== undefined) throw new NoDatabaseError(unusable);
  const readPassword = makePasswordReader(config);
  const database = openPostgresql(databaseUrl, { maintenance: true, readPassword });
  try {
    return await step(database);
  } finally {
    await database.close();
  }
}

/** A migration by the name of its file, and what it locks, in words. */
export type PendingMigration = { name: string; locks: string };

/**
 * Applies the pending migrations. Servers of the previous release may run meanwhile, and after it. Concurrent runs wait
 * for each other. A run that is interrupted, however that happens, leaves nothing that is half applied.
 *
 * @param report is called with a line for each step, and for each document that several goods share (decision 0195)
 * @returns the migrations that were applied
 * @throws NoDatabaseError when DATABASE_URL is not set or is not an address of PostgreSQL
 * @throws MigrationMismatchError when a migration was changed, or is of a release after the next one
 * @throws MigrationBlockedError when another session held a required lock for minutes
 * @throws DatabaseUnavailableError when PostgreSQL does not respond
 */
export function migrateDatabase(
  report: ReportProgress,
  given: Partial<Config> = {},
): Promise<string[]> {
  return withProductionDatabase(given, async (database) => {
    const names = await migrate(database, report);
    await reportSharedKeys(database, report);
    return names;
  });
}

/** Documents of which so many are named, each with its declaration. */
const MAX_SHARED_KEYS = 100;

/** Names goods that differ only in the spelling of their document: nobody but the authority knows whether they are one. */
async function reportSharedKeys(database: Database, report: ReportProgress): Promise<void> {
  const shared = await database.query(selectSharedKeys(MAX_SHARED_KEYS + 1));
  for (const { mrn, documents } of shared.slice(0, MAX_SHARED_KEYS)) {
    const texts = documents.map((text) => JSON.stringify(text)).join(' and ');
    report(`${mrn}: ${texts} differ only in spelling; each is found by its own spelling alone`);
  }
  if (shared.length > MAX_SHARED_KEYS) report('and there are more of these');
}

/** The pending migrations; changes nothing. Throws like `migrateDatabase`. */
export function listPendingMigrations(given: Partial<Config> = {}): Promise<PendingMigration[]> {
  return withProductionDatabase(given, async (database) =>
    (await findPendingMigrations(database)).map(({ name, locks }) => ({ name, locks })),
  );
}

/**
 * Grants scopes without a server and without a token, so that the first organisation of the authority gets its scopes.
 * Whoever can write to the database could do the same. Running servers see the grant at once, because each token
 * exchange queries the database.
 *
 * @returns what is new, or every broken rule
 * @throws NoDatabaseError when DATABASE_URL is not set or is not an address of PostgreSQL
 * @throws UnsafeError when the schema is not that of this version
 * @throws DatabaseUnavailableError when PostgreSQL does not respond
 */
export async function grantFirstScopes(
  organisation: string,
  grant: { scopes: readonly ScopeName[]; name?: string },
  given: Partial<Config> = {},
): Promise<ScopesGranted> {
  // Loaded here, because migrations need neither.
  const { grantScopes } = await import('../access/grant-scopes.js');
  const { AuditTrail } = await import('../audit/audit-trail.js');
  return withProductionDatabase(given, async (database) => {
    const reasons = await checkSchema(database);
    if (reasons.length > 0) throw new UnsafeError(reasons);
    return grantScopes(database, new AuditTrail('database'), new Date(), organisation, grant);
  });
}
