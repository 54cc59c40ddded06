// The embedded database: PostgreSQL compiled to WebAssembly (PGlite), in a folder or in memory, in a thread of
// its own. It never calls fsync, so it does not survive a power cut: for playground, development and tests.
import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '../../files/make-folder.js';
import { Connection } from '../connection.js';
import type { Database } from '../database.js';
import { OpenSessions } from '../open-sessions.js';
import { checkReady } from '../readiness.js';
import { EmbeddedSocket } from './embedded-socket.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';
import { snapshotFile, snapshotIsFresh } from './snapshot.js';

/**
 * Opens the embedded database in a folder, which is made when it is not there and locked while it is open.
 *
 * @param folder the data folder; the cluster is its `database`
 * @param tell is told what takes time
 * @throws FolderInUseError when another process has it open
 */
export async function openEmbedded(
  folder: string,
  tell: (progress: string) => void = () => undefined,
): Promise<Database> {
  await makeFolder(folder);
  const lock = await lockFolder(folder);
  try {
    const cluster = join(folder, 'database');
    if (!(await exists(cluster))) {
      tell('making a new database');
      await makeCluster(cluster);
    }
    const { database } = await startEmbedded({ folder: cluster }, lock);
    return database;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens an embedded database in memory, for tests: gone when it is closed. */
export async function openInMemory(): Promise<Database> {
  const snapshot = (await snapshotIsFresh()) ? await readFile(snapshotFile) : undefined;
  const settings = snapshot === undefined ? {} : { snapshot: new Uint8Array(snapshot) };
  const { database } = await startEmbedded(settings);
  return database;
}

/** Made beside and then renamed, so that a cluster is there whole or not at all. */
async function makeCluster(cluster: string): Promise<void> {
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  if (await snapshotIsFresh()) {
    await promisify(execFile)(process.execPath, [
      fileURLToPath(new URL('./unpack-cluster.js', import.meta.url)),
      fileURLToPath(snapshotFile),
      unfinished,
    ]);
  } else {
    const { database } = await startEmbedded({ folder: unfinished });
    await database.close();
  }
  await rename(unfinished, cluster);
}

/** A running thread with its database; `dump` gives the cluster as a gzipped tar. */
type Embedded = { database: Database; dump(): Promise<Uint8Array> };

/** Starts the thread and opens the one session that it has. */
export async function startEmbedded(
  settings: WorkerSettings,
  lock?: FolderLock,
): Promise<Embedded> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: settings });
  await answerOf(worker, 'ready');
  const connection = new Connection({
    user: 'postgres',
    database: 'postgres',
    stream: () => new EmbeddedSocket(worker),
    kind: 'maintenance',
    // There is no network that could go silent between the two threads.
    sessions: new OpenSessions(async (backends) => backends),
  });

  const database: Database = {
    kind: 'embedded',
    // One session is all that there is.
    lookUps: { query: (statement) => connection.query(statement) },
    query: (statement) => connection.query(statement),
    transact: (work) => connection.transact(work),
    commit: (statements) => connection.commit(statements),
    // One process has the folder, so there is nobody else to tell or to hear from.
    tryLock: async () => async () => undefined,
    announce: async () => undefined,
    onAnnouncement: () => undefined,
    checkReady: () => checkReady([() => connection.verify()]),
    onListenFailure: () => undefined,
    measures: [],
    close: async () => {
      await connection.close();
      const closed = answerOf(worker, 'closed');
      tell(worker, { kind: 'close' });
      await closed;
      await worker.terminate();
      await lock?.release();
    },
  };

  const dump = async () => {
    const answer = answerOf(worker, 'dump');
    tell(worker, { kind: 'dump' });
    return (await answer).bytes;
  };

  return { database, dump };
}

function tell(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

/** The next message of a kind; fails when the thread fails or ends first. */
function answerOf<Kind extends FromWorker['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<FromWorker, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const receive = (message: FromWorker) => {
      if (message.kind !== kind) return;
      stop();
      // The cast is true because the kind was just compared.
      resolve(message as Extract<FromWorker, { kind: Kind }>);
    };
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const end = () => fail(new Error('the thread of the embedded database has ended'));
    const stop = () => {
      worker.off('message', receive);
      worker.off('error', fail);
      worker.off('exit', end);
    };
    worker.on('message', receive);
    worker.on('error', fail);
    worker.on('exit', end);
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
