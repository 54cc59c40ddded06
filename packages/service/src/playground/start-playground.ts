// Starts a playground: the whole service on one's own machine, with a dataset, identities and an identity provider.
import { type Config, readConfig } from '../config.js';
import { openEmbedded } from '../database/embedded/embedded.js';
import { findPort } from './find-port.js';
import type { Playground } from './serve-playground.js';

/** What a playground may be started with; what is left out is read from the environment. */
export type PlaygroundOptions = Partial<Config> & {
  /** Is told what takes time. */
  tell?: (progress: string) => void;
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
  // The database opens in a thread of its own, and meanwhile this one reads the code that will serve it.
  const serving = import('./serve-playground.js');
  const database = await openEmbedded(config.dataFolder, tell);
  try {
    const { servePlayground } = await serving;
    return await servePlayground({ ...config, port }, database, tell);
  } catch (error) {
    await database.close();
    throw error;
  }
}
