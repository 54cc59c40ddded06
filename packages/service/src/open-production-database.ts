// The database of production by its address alone: for steps that need no running server.
import { refuseAddress } from './check-safety.js';
import { type Config, readConfig } from './config.js';
import type { Database } from './database/database.js';
import { openPostgresql } from './database/postgresql.js';

/** There is no address of a database, or nothing of use is there. */
export class NoDatabaseError extends Error {
  readonly code = 'NO_DATABASE';
  override name = 'NoDatabaseError';
}

/** Does a piece of work on the database at DATABASE_URL and closes it. Throws NoDatabaseError. */
export async function onProductionDatabase<Result>(
  given: Partial<Config>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl } = readConfig(process.env, given);
  if (databaseUrl === '') throw new NoDatabaseError('DATABASE_URL is not set');
  const reason = refuseAddress(databaseUrl);
  if (reason !== undefined) throw new NoDatabaseError(reason);
  const database = openPostgresql(databaseUrl, { maintenance: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
