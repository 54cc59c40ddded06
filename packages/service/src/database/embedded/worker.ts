// The thread that holds the embedded PostgreSQL (PGlite): wire protocol bytes in, wire protocol bytes out.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { sessionArguments } from '../session.js';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';

if (parentPort === null) throw new Error('the embedded database runs in a thread of its own');
const port = parentPort;
// The cast is true because embedded-socket.ts alone starts this thread, with these settings.
const settings = workerData as WorkerSettings;

/** PostgreSQL's own cache: enough for a playground, a quarter of what PGlite takes by itself. */
const SHARED_BUFFERS = '32MB';

const database = await PGlite.create({
  startParams: [
    ...PGlite.defaultStartParams,
    '-c',
    `shared_buffers=${SHARED_BUFFERS}`,
    ...sessionArguments,
  ],
  ...(settings.folder === undefined ? {} : { dataDir: settings.folder }),
  ...(settings.snapshot === undefined ? {} : { loadDataDir: new Blob([settings.snapshot]) }),
});
send({ kind: 'ready' });

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'bytes':
      return void exchange(message.bytes);
    case 'dump':
      return void dump();
    case 'close':
      return void close();
  }
});

/** PGlite takes one message at a time; it queues calls in the order in which they are made. */
async function exchange(bytes: Uint8Array): Promise<void> {
  const response = await database.execProtocolRaw(bytes);
  send({ kind: 'bytes', bytes: response.slice() });
}

async function dump(): Promise<void> {
  const file = await database.dumpDataDir('gzip');
  send({ kind: 'dump', bytes: new Uint8Array(await file.arrayBuffer()) });
}

async function close(): Promise<void> {
  await database.close();
  send({ kind: 'closed' });
  port.close();
}

function send(message: FromWorker): void {
  port.postMessage(message, 'bytes' in message ? [message.bytes.buffer] : []);
}
