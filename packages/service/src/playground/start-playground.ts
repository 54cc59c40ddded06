// Starts a playground: the whole service on one machine, with a dataset, identities and an identity provider.
import { type Config, readConfig } from '../config.js';
import { openEmbedded } from '../database/embedded/embedded.js';
import { findPort } from './find-port.js';
import type { Playground } from './serve-playground.js';

/** The options of a playground; by default they are read from the environment. */
export type PlaygroundOptions = Partial<Config> & {
  /** Is called before each slow step. */
  reportProgress?: (progress: string) => void;
};

/**
 * Starts a playground with the embedded database in its data folder.
 *
 * @throws ConfigError for an option that is not one it may have
 * @throws FolderInUseError when another process has the data folder open
 * @throws an error with the code EADDRINUSE or EACCES when the port or the folder cannot be used
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const { reportProgress = () => undefined, ...given } = options;
  const config = readConfig(process.env, given);
  // First, so that a port in use leaves no incomplete data folder behind.
  const port = await findPort(config.host, config.port);
  reportProgress(`opening the database in ${config.dataFolder}`);
  // The database opens in a thread of its own; meanwhile this one loads the server's code.
  const serving = import('./serve-playground.js');
  const database = await openEmbedded(config.dataFolder, reportProgress);
  try {
    const { servePlayground } = await serving;
    return await servePlayground({ ...config, port }, database, reportProgress);
  } catch (error) {
    await database.close();
    throw error;
  }
}
