// The versions of this server and its database, for the authority.
import { readFileSync } from 'node:fs';
import type { Versions } from '@landfall/contract';
import type { Database } from '../database/database.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version of this server. */
export const serviceVersion = String(version);

/** @param readDatabaseVersion reads the version of PostgreSQL */
export async function getVersions(
  { kind }: Pick<Database, 'kind'>,
  readDatabaseVersion: () => Promise<string>,
): Promise<Versions> {
  return { service: serviceVersion, database: { kind, version: await readDatabaseVersion() } };
}
