// Starts a playground: the whole service on one machine, with a dataset, identities and an identity provider.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  codeOf,
  type Database,
  type FolderLock,
  lockFolder,
  openEmbedded,
  openInMemory,
  openPostgresql,
} from '@landfall/service';
import { makeFolder } from '@landfall/service/assembly';
import { readConfig } from '@landfall/service/config';
import { checkOptions } from './check-options.js';
import { claimDatabase, type DatabaseClaim } from './claim-database.js';
import { PlaygroundClock } from './clock.js';
import { openDataset } from './dataset/dataset-source.js';
import { findPort } from './find-port.js';
import type { PlaygroundOptions } from './options.js';
import type { Playground } from './playground.js';
import { listPublicUrls } from './public-addresses.js';
import { beginRsaKeys } from './rsa-keys.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/** The documentation site, where `npm run docs` has built it. */
const SITE = new URL('site/', import.meta.url);

/** How often another free port is tried when a process took the chosen one meanwhile. */
const PORT_ATTEMPTS = 5;

/**
 * Starts a playground. By default it is on a free port, with a database in memory and its keys in a temporary folder,
 * and leaves nothing behind. Any number may run in a process.
 *
 * The database is PostgreSQL if `databaseUrl` is given: one that is empty at the first start, which the playground
 * migrates and keeps. With `data` it is an embedded one in that folder.
 *
 * @throws PlaygroundOptionError for an invalid option, or when the database has tables of somebody else or is used by
 *   another playground
 * @throws InvalidDatasetError when lines of the dataset break rules; nothing of it is loaded
 * @throws UnreadableDatasetError when the file of the dataset cannot be read
 * @throws FolderInUseError when another process has the data folder open
 * @throws an error with the code EADDRINUSE or EACCES when the port or the folder cannot be used
 * @example
 * await using playground = await startPlayground();
 * const landfall = new Landfall(playground.credentials('carrier'));
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const {
    onProgress = () => undefined,
    data,
    dataset: datasetName,
    identities,
    scenarios,
    clock: start,
    maxSpaces,
    spaceIdleTime,
    preparedSpaces,
    publicUrl,
    controlSecret,
    hosted,
    ...given
  } = options;
  checkOptions(options);
  const clock = new PlaygroundClock(start);
  const dataset = datasetName === undefined ? undefined : openDataset(datasetName);
  await dataset?.checkReadable();
  const requested = given.port ?? 0;
  // Before a folder is created: if the port is in use, no incomplete folder is left behind.
  let port = await findPort(given.host ?? '127.0.0.1', requested);
  const { path: dataFolder, remove: removeFolder } =
    data === undefined
      ? await makeTemporaryFolder()
      : { path: data, remove: async () => undefined };
  let database: Database | undefined;
  let lock: FolderLock | undefined;
  let claim: DatabaseClaim | undefined;
  try {
    const config = readConfig(
      {},
      {
        logLevel: 'silent',
        referenceDocuments: 'static',
        documentationFolder: existsSync(new URL('index.html', SITE)) ? fileURLToPath(SITE) : '',
        ...given,
        dataFolder,
      },
    );
    onProgress(`opening the database ${placeOf(config.databaseUrl, data)}`);
    // The embedded database opens in its own thread. Meanwhile this thread loads the server's code.
    const serving = import('./serve-playground.js');
    if (config.databaseUrl !== '' && data !== undefined) {
      // Its keys are those of one process. The embedded database locks its folder itself.
      await makeFolder(data);
      lock = await lockFolder(data);
    }
    const rsaKeys = beginRsaKeys(dataFolder);
    database = await open(config.databaseUrl, data, onProgress);
    if (config.databaseUrl !== '') claim = await claimDatabase(database);
    const { servePlayground } = await serving;
    await rsaKeys;
    for (let attempt = 1; ; attempt++) {
      try {
        return await servePlayground({ ...config, port }, database, {
          clock,
          dataset,
          identities,
          scenarios,
          maxSpaces,
          spaceIdleTime,
          preparedSpaces,
          publicUrls: listPublicUrls(publicUrl),
          controlSecret,
          hosted,
          onProgress,
          keepsCredentials: data !== undefined,
          isTemporary: data === undefined && config.databaseUrl === '',
          endsByItself: claim?.lost,
          closed: async () => {
            await claim?.giveUp();
            await lock?.release();
            await removeFolder();
          },
        });
      } catch (error) {
        const isTaken = codeOf(error) === 'EADDRINUSE';
        if (!isTaken || requested !== 0 || attempt === PORT_ATTEMPTS) throw error;
        port = await findPort(config.host, 0);
      }
    }
  } catch (error) {
    await database?.close();
    await claim?.giveUp();
    await lock?.release();
    await removeFolder();
    throw error;
  }
}

function placeOf(databaseUrl: string, data: string | undefined): string {
  if (databaseUrl !== '') return 'on PostgreSQL';
  return data === undefined ? 'in memory' : `in ${data}`;
}

function open(
  databaseUrl: string,
  data: string | undefined,
  onProgress: (progress: string) => void,
): Promise<Database> {
  if (databaseUrl !== '') return Promise.resolve(openPostgresql(databaseUrl));
  return data === undefined ? openInMemory() : openEmbedded(data, onProgress);
}
