// Verifies and exports the audit trail of production's database or of a playground's, without a running server.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportOptions } from '../audit/export-months.js';
import type { Verification, VerifyOptions } from '../audit/verify-audit.js';
import type { Config } from '../config.js';
import type { DecisionExport, DecisionSummary } from '../consignments/export-decisions.js';
import type { Database } from '../database/database.js';
import { findPendingMigrations } from '../database/migrate.js';
import { makeRemovalClock } from '../database/removal-clock.js';
import { feedKinds } from '../feed-kinds.js';
import { NoDatabaseError, withProductionDatabase } from './maintain-database.js';

/**
 * Verifies the whole trail, and records the result for the status of the service. Servers may run meanwhile.
 *
 * @param options `dataFolder`: that of a stopped playground; without it, the database at DATABASE_URL. `onNotRecorded`
 * is called with the error if the result cannot be recorded, as on a standby
 * @throws NoDatabaseError when there is no database, or its schema is of another version
 * @throws FolderInUseError when the playground is running
 * @throws DatabaseUnavailableError when PostgreSQL does not respond
 */
export async function verifyAuditTrail(
  {
    dataFolder,
    onNotRecorded = () => undefined,
    ...options
  }: VerifyOptions & { dataFolder?: string; onNotRecorded?: (error: unknown) => void },
  given: Partial<Config> = {},
): Promise<Verification> {
  // Loaded here, because other commands load this file too.
  const { verifyAudit } = await import('../audit/verify-audit.js');
  const { recordLastVerification } = await import('../audit/last-verification.js');
  return withAuditTrail(dataFolder, given, async (database) => {
    const verification = await verifyAudit(database, feedKinds, options);
    const { recordsOnly = false } = options;
    await recordLastVerification(database, verification, { at: new Date(), recordsOnly }).catch(
      onNotRecorded,
    );
    return verification;
  });
}

/**
 * Exports the closed months of the trail to files, and verifies each. Servers may run meanwhile.
 *
 * @param options `dataFolder`: that of a stopped playground; without it, the database at DATABASE_URL
 * @returns how many months the folder has of those that were requested
 * @throws NoDatabaseError, FolderInUseError, DatabaseUnavailableError as `verifyAuditTrail`
 * @throws AuditFileError when a file cannot be written or is not of this trail, or the trail is broken
 */
export async function exportAuditTrail(
  { dataFolder, ...options }: Omit<ExportOptions, 'now' | 'clock'> & { dataFolder?: string },
  given: Partial<Config> = {},
): Promise<number> {
  const { exportMonths } = await import('../audit/export-months.js');
  return withAuditTrail(dataFolder, given, async (database) => {
    const clock = makeRemovalClock(database);
    const now = await clock.cutoff(0);
    return exportMonths(database, { ...options, now, clock: await clock.now() });
  });
}

/**
 * Exports the decisions of a time, each with the record that has it. Servers may run meanwhile.
 *
 * @param options `dataFolder`: that of a stopped playground; without it, the database at DATABASE_URL
 * @throws NoDatabaseError, FolderInUseError, DatabaseUnavailableError as `verifyAuditTrail`
 * @throws AuditFileError when the file exists
 */
export async function exportRoutingDecisions(
  { dataFolder, ...options }: DecisionExport & { dataFolder?: string },
  given: Partial<Config> = {},
): Promise<DecisionSummary> {
  const { exportDecisions } = await import('../consignments/export-decisions.js');
  return withAuditTrail(dataFolder, given, (database) => exportDecisions(database, options));
}

/** Opens the database of production or of a playground, and checks that it is of this version. */
async function withAuditTrail<Result>(
  dataFolder: string | undefined,
  given: Partial<Config>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const checkAndWork = async (database: Database) => {
    const [pending] = await findPendingMigrations(database);
    if (pending !== undefined) {
      throw new NoDatabaseError(`the database is of an older version: it lacks ${pending.name}`);
    }
    return work(database);
  };
  if (dataFolder === undefined) return withProductionDatabase(given, checkAndWork);
  const database = await openPlayground(dataFolder);
  try {
    return await checkAndWork(database);
  } finally {
    await database.close();
  }
}

/** Opens an existing database only: the embedded one would create a missing one. */
async function openPlayground(folder: string): Promise<Database> {
  await access(join(folder, 'database')).catch(() => {
    throw new NoDatabaseError(`there is no database in ${folder}`);
  });
  const { openEmbedded } = await import('../database/embedded/embedded.js');
  return openEmbedded(folder);
}
