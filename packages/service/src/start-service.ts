// Production: the service on PostgreSQL, with an external identity provider and no dataset of its own.
import { join } from 'node:path';
import { makeApp } from './app.js';
import { checkConfig, checkDatabase } from './check-safety.js';
import { type Config, readConfig } from './config.js';
import { findPendingMigrations, migrate } from './database/migrate.js';
import { openPostgresql } from './database/postgresql.js';

/** A service that runs. */
export type Service = { baseUrl: string; close(): Promise<void> };

/**
 * Starts the service.
 *
 * @throws ConfigError for an option that is not one it may have
 * @throws UnsafeError for a configuration or a database on which a promise would not hold
 */
export async function startService(given: Partial<Config> = {}): Promise<Service> {
  const config = readConfig(process.env, given);
  checkConfig(config);
  const database = openPostgresql(config.databaseUrl, { connections: config.databaseConnections });
  try {
    await checkDatabase(database);
    const app = await makeApp({
      config,
      database,
      baseUrl: config.baseUrl,
      idpUrl: `${config.baseUrl}/idp`,
      keysFolder: join(config.dataFolder, 'keys'),
      identityProvider: {
        kind: 'external',
        issuer: config.identityProviderIssuer,
        jwksUrl: config.identityProviderKeys,
      },
    });
    await app.listen({ host: config.host, port: config.port });
    return {
      baseUrl: config.baseUrl,
      close: async () => {
        await app.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Brings the database of production to the schema of this version.
 *
 * @param check only tells what is pending
 * @returns the migrations applied now, or pending
 */
export async function migrateService(
  { check }: { check: boolean },
  given: Partial<Config> = {},
): Promise<string[]> {
  const { databaseUrl } = readConfig(process.env, given);
  if (databaseUrl === '') throw new NoDatabaseError('DATABASE_URL is not set');
  const database = openPostgresql(databaseUrl);
  try {
    return await (check ? findPendingMigrations(database) : migrate(database));
  } finally {
    await database.close();
  }
}

/** There is no address of a database. */
export class NoDatabaseError extends Error {
  readonly code = 'NO_DATABASE';
  override name = 'NoDatabaseError';
}
