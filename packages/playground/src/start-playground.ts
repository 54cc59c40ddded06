// Starts a playground: the whole service on one machine, with a dataset, identities and an identity provider.

import { openEmbedded } from '@landfall/service';
import { type Config, readConfig } from '@landfall/service/config';
import { findPort } from './find-port.js';
import type { Playground } from './serve-playground.js';

/** The options of a playground. By default they are read from the environment. */
export type PlaygroundOptions = Partial<Config> & {
  /** Is called before each slow step. */
  onProgress?: (progress: string) => void;
};

/**
 * Starts a playground with the embedded database in its data folder.
 *
 * @throws ConfigError for an invalid option
 * @throws FolderInUseError when another process has the data folder open
 * @throws an error with the code EADDRINUSE or EACCES when the port or the folder cannot be used
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const { onProgress = () => undefined, ...given } = options;
  const config = readConfig(process.env, given);
  // Before the data folder is created: if the port is in use, no incomplete folder is left behind.
  const port = await findPort(config.host, config.port);
  onProgress(`opening the database in ${config.dataFolder}`);
  // The database opens in its own thread. Meanwhile this thread loads the server's code.
  const serving = import('./serve-playground.js');
  const database = await openEmbedded(config.dataFolder, onProgress);
  try {
    const { servePlayground } = await serving;
    return await servePlayground({ ...config, port }, database, onProgress);
  } catch (error) {
    await database.close();
    throw error;
  }
}
