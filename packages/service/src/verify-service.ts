// Verifies the audit trail of a database that no server need be running on: production's, or a playground's.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Verification, VerifyOptions } from './audit/verify-audit.js';
import type { Config } from './config.js';
import type { Database } from './database/database.js';
import { findPendingMigrations } from './database/migrate.js';
import { NoDatabaseError, onProductionDatabase } from './open-production-database.js';

/**
 * Walks the whole trail and changes nothing. Servers may run meanwhile.
 *
 * @param options `dataFolder`: that of a playground, which must not be running; without it, DATABASE_URL
 * @throws NoDatabaseError when there is none, or it is of another version
 * @throws FolderInUseError when the playground is running
 * @throws DatabaseUnavailableError when PostgreSQL does not answer
 */
export async function verifyAuditService(
  { dataFolder, ...options }: VerifyOptions & { dataFolder?: string },
  given: Partial<Config> = {},
): Promise<Verification> {
  const { verifyAudit } = await import('./audit/verify-audit.js');
  const verify = async (database: Database) => {
    const [pending] = await findPendingMigrations(database);
    if (pending !== undefined) {
      throw new NoDatabaseError(`the database is of an older version: it lacks ${pending.name}`);
    }
    return verifyAudit(database, options);
  };
  if (dataFolder === undefined) return onProductionDatabase(given, verify);
  const database = await openPlayground(dataFolder);
  try {
    return await verify(database);
  } finally {
    await database.close();
  }
}

/** Only one that is there: opening would make it. */
async function openPlayground(folder: string): Promise<Database> {
  await access(join(folder, 'database')).catch(() => {
    throw new NoDatabaseError(`there is no database in ${folder}`);
  });
  const { openEmbedded } = await import('./database/embedded/embedded.js');
  return openEmbedded(folder);
}
