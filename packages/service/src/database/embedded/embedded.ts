// The embedded database: PostgreSQL compiled to WebAssembly (PGlite), in a folder or in memory, in a thread of
// its own. It never calls fsync, so it does not survive a power cut: for playground, development and tests.
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../../files/make-folder.js';
import { BatchMetrics } from '../../metrics/batch-metrics.js';
import { Connection } from '../connection.js';
import type { Database } from '../database.js';
import { DatabaseUnavailableError } from '../errors.js';
import { OpenSessions } from '../open-sessions.js';
import { checkReady } from '../readiness.js';
import { Replacements } from '../replacements.js';
import { checkSchemaName } from '../schema-name.js';
import { BrokenDatabaseError } from './broken-database.js';
import { EmbeddedSocket } from './embedded-socket.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { makeCluster } from './make-cluster.js';
import type { ClusterLocation } from './messages.js';
import { compilePostgres } from './postgres-module.js';
import { snapshotFile, snapshotIsFresh } from './snapshot.js';

/**
 * How soon a database that failed is opened again, in milliseconds. Opening takes a second of a processor, and fails
 * at once while the disk is full.
 */
const REOPEN_INTERVAL_MS = 5000;

/** How long closing waits for what is under way, in milliseconds. */
const CLOSE_TIMEOUT_MS = 10_000;

/**
 * Opens the embedded database in a folder, which is made when it is not there and locked while it is open.
 *
 * @param folder the data folder; the cluster is its `database`
 * @param onProgress is called before a step that takes time
 * @throws FolderInUseError when another process has it open
 * @throws BrokenDatabaseError when it cannot be made or opened: the disk is full, or files are damaged
 */
export async function openEmbedded(
  folder: string,
  onProgress: (progress: string) => void = () => undefined,
): Promise<Database> {
  await makeFolder(folder);
  const lock = await lockFolder(folder);
  try {
    const cluster = join(folder, 'database');
    if (!(await exists(cluster))) {
      onProgress('making a new database');
      await makeCluster(cluster, initialise);
    }
    return await openCluster(cluster, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens an embedded database in memory, for tests: gone when it is closed. */
export async function openInMemory(): Promise<Database> {
  const snapshot = (await snapshotIsFresh()) ? await readFile(snapshotFile) : undefined;
  return startEmbedded(snapshot === undefined ? {} : { snapshot });
}

async function initialise(folder: string): Promise<void> {
  const database = await startEmbedded({ folder });
  await database.close();
}

async function openCluster(folder: string, lock: FolderLock): Promise<Database> {
  try {
    return await startEmbedded({ folder }, lock);
  } catch (error) {
    throw new BrokenDatabaseError(
      `the database in ${folder} cannot be opened: the disk is full, or its files are damaged; free some space and start again, or put a copy of the folder back, or delete it to begin anew`,
      { cause: error },
    );
  }
}

/** Opens the one session that there is, and with it the thread. */
export async function startEmbedded(
  location: ClusterLocation,
  lock?: FolderLock,
): Promise<Database> {
  const settings = { ...location, module: await compilePostgres() };
  let socket: EmbeddedSocket | undefined;
  let openedAt = Number.NEGATIVE_INFINITY;
  const connection = new Connection({
    user: 'postgres',
    database: 'postgres',
    stream: () => {
      const now = performance.now();
      if (socket !== undefined) {
        // A database in memory is gone with its session, and a new one would be empty.
        if (settings.folder === undefined) {
          throw new DatabaseUnavailableError('the database in memory is lost');
        }
        if (now - openedAt < REOPEN_INTERVAL_MS) {
          throw new DatabaseUnavailableError('the database failed, and is opened again in seconds');
        }
      }
      openedAt = now;
      socket = new EmbeddedSocket(settings);
      return socket;
    },
    kind: 'embedded',
    // There is no network that could go silent between the two threads.
    sessions: new OpenSessions(async (backends) => backends),
  });
  await connection.verify();

  const batches = new BatchMetrics();
  const database: Database = {
    ...overSchema(undefined),
    kind: 'embedded',
    // Only one process can open the folder, so there are no others to lock out or to exchange announcements with.
    tryLock: async () => async () => undefined,
    announcements: {
      send: async () => undefined,
      onMessage: () => undefined,
      onFailure: () => undefined,
    },
    replacements: new Replacements(),
    checkReady: () => checkReady([() => connection.verify()]),
    measures: batches.measures,
    batches,
    inSchema: (schema) => ({
      ...database,
      ...overSchema(checkSchemaName(schema)),
      replacements: new Replacements(),
      close: async () => undefined,
    }),
    close: async () => {
      const closed = connection.close();
      const late = delay(CLOSE_TIMEOUT_MS, 'late', { ref: false });
      // A statement that never ends cannot be cancelled; its thread can be ended.
      if ((await Promise.race([closed, late])) === 'late') socket?.destroy();
      await closed;
      await lock?.release();
    },
  };
  return database;

  function overSchema(
    schema: string | undefined,
  ): Pick<Database, 'lookUps' | 'query' | 'transact' | 'commit'> {
    return {
      // One session is all that there is.
      lookUps: { query: (statement) => connection.query(statement, schema) },
      query: (statement) => connection.query(statement, schema),
      transact: (work) => connection.transact(work, schema),
      commit: (statements) => connection.commit(statements, schema),
    };
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
