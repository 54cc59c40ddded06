// The state of an installation as its database has it, whether or not a server runs: what an operator looks at first.
import type { ServiceStatus } from '@landfall/contract';
import { type Config, readConfig } from '../config.js';
import { findPendingMigrations } from '../database/migrate.js';
import { selectDatabaseVersion } from '../database/queries.js';
import { getVersions } from '../http/get-versions.js';
import { FailedRequests } from '../metrics/failed-requests.js';
import { getServiceStatus } from '../monitoring/get-service-status.js';
import { type EndingCertificate, findEndingUnlessLocked } from './ending-certificates.js';
import { withProductionDatabase } from './maintain-database.js';
import { type DatabaseState, selectDatabaseState } from './queries.js';

/** Hours that the figures of an installation cover. */
const HOURS = 1;

/** The state of an installation. */
export type Installation = {
  /** Migrations that the database lacks. */
  pendingMigrations: string[];
  database: DatabaseState;
  /** Clients whose certificates end soon; `undefined` if the database lacks migrations, or their table is locked. */
  endingCertificates: EndingCertificate[] | undefined;
  /** What its servers have reported; `undefined` if the database lacks migrations. */
  status: Omit<ServiceStatus, 'server' | 'failedRequests'> | undefined;
};

/**
 * Reads the state of the installation from the database at DATABASE_URL, which may be a standby. Changes nothing.
 *
 * @throws NoDatabaseError when DATABASE_URL is not set or is not an address of PostgreSQL
 * @throws DatabaseUnavailableError when PostgreSQL does not respond
 */
export function readInstallation(given: Partial<Config> = {}): Promise<Installation> {
  return withProductionDatabase(given, async (database) => {
    const [state] = await database.query(selectDatabaseState);
    if (state === undefined) throw new Error('the database did not say its state');
    const pending = await findPendingMigrations(database);
    const pendingMigrations = pending.map(({ name }) => name);
    if (pending.length > 0) {
      return {
        pendingMigrations,
        database: state,
        endingCertificates: undefined,
        status: undefined,
      };
    }
    const readDatabaseVersion = async () => {
      const [row] = await database.query(selectDatabaseVersion);
      return row?.version ?? 'unknown';
    };
    const context = {
      database,
      name: () => '',
      readVersions: () => getVersions(database, readDatabaseVersion),
      // Only servers can read NATS; the last figures have what they reported.
      relays: { readProgress: async () => undefined, findStreams: async () => [] },
      documentationUrl: readConfig(process.env, given).documentationUrl,
      failedRequests: new FailedRequests(),
    };
    const { server: _, ...status } = await getServiceStatus(context, HOURS, state.now);
    const endingCertificates = await findEndingUnlessLocked(database, state.now);
    return { pendingMigrations, database: state, endingCertificates, status };
  });
}
