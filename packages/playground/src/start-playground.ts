// Starts a playground: the whole service on one machine, with a dataset, identities and an identity provider.

import { openEmbedded } from '@landfall/service';
import { type Config, readConfig } from '@landfall/service/config';
import { openDataset } from './dataset/dataset-source.js';
import { findPort } from './find-port.js';
import { beginRsaKeys } from './rsa-keys.js';
import type { Playground } from './serve-playground.js';

/** The options of a playground. By default they are read from the environment. */
export type PlaygroundOptions = Partial<Config> & {
  /** Is called before each slow step. */
  onProgress?: (progress: string) => void;
  /**
   * The goods, identities and decisions, in place of the built-in goods: the name of a generated dataset (`airport`,
   * `post-terminal:medium`), or the path of a file. Loading the same again changes nothing.
   */
  dataset?: string;
};

/**
 * Starts a playground with the embedded database in its data folder.
 *
 * @throws ConfigError for an invalid option
 * @throws InvalidDatasetError when lines of the dataset break rules; nothing of it is loaded
 * @throws UnreadableDatasetError when the file of the dataset cannot be read
 * @throws FolderInUseError when another process has the data folder open
 * @throws an error with the code EADDRINUSE or EACCES when the port or the folder cannot be used
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const { onProgress = () => undefined, dataset: datasetName, ...given } = options;
  const config = readConfig(process.env, given);
  const dataset = datasetName === undefined ? undefined : openDataset(datasetName);
  await dataset?.checkReadable();
  // Before the data folder is created: if the port is in use, no incomplete folder is left behind.
  const port = await findPort(config.host, config.port);
  onProgress(`opening the database in ${config.dataFolder}`);
  // The database opens in its own thread. Meanwhile this thread loads the server's code.
  const serving = import('./serve-playground.js');
  const rsaKeys = beginRsaKeys(config.dataFolder);
  const database = await openEmbedded(config.dataFolder, onProgress);
  try {
    const { servePlayground } = await serving;
    await rsaKeys;
    return await servePlayground({ ...config, port }, database, { onProgress, dataset });
  } catch (error) {
    await database.close();
    throw error;
  }
}
