// Production: the service on PostgreSQL, with an external identity provider and no dataset of its own.
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { readPassphrase } from '../access/signing-keys/key-passphrase.js';
import { makeApp } from '../app.js';
import { type Config, readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { readMetricsAccess } from '../read-metrics-access.js';
import { makeClockCheck } from './check-clock.js';
import { makeCommitCheck } from './check-commits.js';
import { makeDurabilityCheck } from './check-durability.js';
import { checkConfig, checkDatabase, findLimits, UnsafeError } from './check-safety.js';
import { makePasswordReader } from './read-database-password.js';
import { readSignIn } from './read-sign-in.js';

/** A service that runs. */
export type Service = {
  /** Where clients reach it. */
  baseUrl: string;
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  address: string;
  /** How long `close` continues to serve requests before anything is closed, in seconds. */
  drainTime: number;
  /** Changes the lowest level that is logged, until it is changed again. */
  setLogLevel(level: Config['logLevel']): void;
  /**
   * Reports that it is not ready. After the drain time, when load balancers send it no more requests, completes those
   * in progress and closes.
   */
  close(): Promise<void>;
};

/**
 * Starts the service.
 *
 * @throws ConfigError for an option that is not one it may have
 * @throws KeyPassphraseError when the signing keys cannot be decrypted
 * @throws UnsafeError for a configuration or a database on which a promise would not hold
 * @throws DatabaseUnavailableError when PostgreSQL does not respond
 */
export async function startService(given: Partial<Config> = {}): Promise<Service> {
  const config = readConfig(process.env, given);
  const signIn = await readSignIn(config);
  const reasons = [...(await checkConfig(config)), ...signIn.reasons];
  if (reasons.length > 0) throw new UnsafeError(reasons);
  const keysPassphrase = await readPassphrase(config);
  const metrics = await readMetricsAccess(config);
  const { baseUrl, databaseUrl, databaseConnections, readDatabaseUrl, drainTime } = config;
  const database = openPostgresql(databaseUrl, {
    connections: databaseConnections,
    standbys: readDatabaseUrl,
    readPassword: makePasswordReader(config),
  });
  try {
    const faults = await checkDatabase(database, config.durability);
    if (faults.length > 0) throw new UnsafeError(faults);
    const clock = makeClockCheck(database);
    const commits = makeCommitCheck(database);
    const { app, drain } = await makeApp({
      config,
      database,
      baseUrl,
      keysFolder: config.keysFolder,
      keysPassphrase,
      readKeysPassphrase: () => readPassphrase(config),
      metrics,
      conditions: [
        clock.condition,
        commits.condition,
        ...(config.durability === 'replicated' ? [makeDurabilityCheck(database)] : []),
      ],
      measures: [clock.measure, commits.measure],
      console: signIn.settings && { openIdConnect: signIn.settings },
      identityProvider: {
        issuer: config.identityProviderIssuer,
        jwksUrl: config.identityProviderKeys,
      },
    });
    const served = {
      isMetricsServed: metrics !== undefined,
      isConsoleServed: signIn.settings !== undefined,
    };
    const address = await begin(app, config, database, served).catch(async (error: unknown) => {
      // What runs in the background is ended too.
      await app.close();
      throw error;
    });
    return {
      baseUrl,
      address,
      drainTime,
      setLogLevel: (level) => {
        app.log.level = level;
      },
      close: async () => {
        drain();
        await delay(drainTime * 1000);
        await app.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Says in the log what an operator may want to change, and listens. */
async function begin(
  app: FastifyInstance,
  config: Config,
  database: Database,
  { isMetricsServed, isConsoleServed }: { isMetricsServed: boolean; isConsoleServed: boolean },
): Promise<string> {
  for (const limit of await findLimits(database)) app.log.warn(limit);
  if (config.trial === 'on') {
    app.log.warn(
      'LANDFALL_TRIAL is on, so tokens of a trial provider are accepted, which anybody gets who reaches that: for trials only',
    );
  }
  if (!isMetricsServed) {
    app.log.warn(
      '/metrics is not served: set LANDFALL_METRICS_PORT to a port that only operators reach, or LANDFALL_METRICS_TOKEN to a token',
    );
  }
  if (!isConsoleServed) {
    app.log.warn(
      'the console is not served: set LANDFALL_CONSOLE_OIDC_ISSUER to the OpenID provider at which people sign in',
    );
  }
  return app.listen({ host: config.host, port: config.port });
}
