// Verifies the audit trail of production's database or of a playground's, without a running server.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Verification, VerifyOptions } from '../audit/verify-audit.js';
import type { Config } from '../config.js';
import type { Database } from '../database/database.js';
import { findPendingMigrations } from '../database/migrate.js';
import type { FeedKind } from '../feed/feed.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { routingSignals } from '../routing/signal-feed.js';
import { NoDatabaseError, withProductionDatabase } from './maintain-database.js';

/** The feeds whose entries are covered by digests in the audit trail. */
export const auditedFeeds: readonly FeedKind[] = [validationStatuses, routingSignals];

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
  const verify = async (database: Database) => {
    const [pending] = await findPendingMigrations(database);
    if (pending !== undefined) {
      throw new NoDatabaseError(`the database is of an older version: it lacks ${pending.name}`);
    }
    const verification = await verifyAudit(database, auditedFeeds, options);
    const { recordsOnly = false } = options;
    await recordLastVerification(database, verification, { at: new Date(), recordsOnly }).catch(
      onNotRecorded,
    );
    return verification;
  };
  if (dataFolder === undefined) return withProductionDatabase(given, verify);
  const database = await openPlayground(dataFolder);
  try {
    return await verify(database);
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
