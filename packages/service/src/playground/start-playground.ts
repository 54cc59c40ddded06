// The playground: the whole service on one's own machine, with a dataset, identities and an identity provider.
import { join } from 'node:path';
import type { PlaygroundCredentials } from '@landfall/contract';
import { v7 } from 'uuid';
import { makeApp } from '../app.js';
import { type Config, readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { openEmbedded } from '../database/embedded/embedded.js';
import { migrate } from '../database/migrate.js';
import { loadDataset } from './dataset.js';
import { findPort } from './find-port.js';
import { prepareIdentities } from './identities.js';

/** What a playground may be started with; what is left out is read from the environment. */
export type PlaygroundOptions = Partial<Config> & {
  /** Is told what takes time. */
  tell?: (progress: string) => void;
};

/** A playground that runs. */
export type Playground = {
  baseUrl: string;
  idpUrl: string;
  credentials: readonly PlaygroundCredentials[];
  close(): Promise<void>;
};

/**
 * Starts a playground with the embedded database in its data folder.
 *
 * @throws ConfigError for an option that is not one it may have
 * @throws FolderInUseError when another process has the data folder open
 * @throws an error with the code EADDRINUSE or EACCES when the port or the folder cannot be used
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const { tell = () => undefined, ...given } = options;
  const config = readConfig(process.env, given);
  // Before anything is made, so that a port in use leaves no half-made data folder behind.
  const port = await findPort(config.host, config.port);
  tell(`opening the database in ${config.dataFolder}`);
  const database = await openEmbedded(config.dataFolder, tell);
  try {
    return await servePlayground({ ...config, port }, database, tell);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Serves a playground on a database that is open; closing the playground closes the database. */
export async function servePlayground(
  config: Config,
  database: Database,
  tell: (progress: string) => void = () => undefined,
): Promise<Playground> {
  const baseUrl = baseAddress(config);
  const idpUrl = `${baseUrl}/idp`;
  const applied = await migrate(database);
  if (applied.length > 0) tell(`brought the database up to date: ${applied.join(', ')}`);
  await loadDataset(database, () => v7());
  tell('preparing keys and certificates');
  const { dataFolder, scopePrefix } = config;
  const { credentials, trustedIssuers } = await prepareIdentities({
    database,
    dataFolder,
    baseUrl,
    idpUrl,
    scopePrefix,
  });
  const { app } = await makeApp({
    config,
    database,
    baseUrl,
    identityProvider: { kind: 'own', url: idpUrl, trustedIssuers },
    keysFolder: join(dataFolder, 'keys'),
  });
  await app.listen({ host: config.host, port: config.port });
  return {
    baseUrl,
    idpUrl,
    credentials,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

/** Addresses that mean this machine are written as people write it. */
function baseAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  const name = local ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
