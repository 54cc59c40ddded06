// The thread that holds the embedded PostgreSQL (PGlite): wire protocol bytes in, wire protocol bytes out.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { sessionArguments } from '../session.js';
import { ClusterInMemory } from './cluster-in-memory.js';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';
import { INITDB_ARGUMENTS } from './snapshot.js';

if (parentPort === null) throw new Error('the embedded database runs in a thread of its own');
const port = parentPort;
// The cast is true because embedded-socket.ts alone starts this thread, with these settings.
const settings = workerData as WorkerSettings;

/**
 * PostgreSQL's own cache, where PGlite takes 128 MB. In a folder, it saves system calls. In memory, it would hold copies of
 * what is in memory already.
 */
const SHARED_BUFFERS = { inFolder: '32MB', inMemory: '4MB' };

const { folder, snapshot, module } = settings;
const database = await PGlite.create({
  pgliteWasmModule: module,
  initDbStartParams: INITDB_ARGUMENTS,
  startParams: [
    ...PGlite.defaultStartParams,
    '-c',
    `shared_buffers=${folder === undefined ? SHARED_BUFFERS.inMemory : SHARED_BUFFERS.inFolder}`,
    ...sessionArguments,
  ],
  ...(folder === undefined ? {} : { dataDir: folder }),
  ...(snapshot === undefined ? {} : { fs: new ClusterInMemory(snapshot) }),
});
send({ kind: 'ready' });

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'bytes':
      return void exchange(message.bytes);
    case 'close':
      return void close();
  }
});

/** PGlite takes one message at a time; it queues calls in the order in which they are made. */
async function exchange(bytes: Uint8Array): Promise<void> {
  const response = await database.execProtocolRaw(bytes);
  send({ kind: 'bytes', bytes: response.slice() });
}

async function close(): Promise<void> {
  await database.close();
  send({ kind: 'closed' });
  port.close();
}

function send(message: FromWorker): void {
  port.postMessage(message, 'bytes' in message ? [message.bytes.buffer] : []);
}
