// A socket whose other end is the embedded database's thread, so that the one PostgreSQL driver serves both.
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';

/** What a PostgreSQL server says when a session starts and needs no password: ready, and idle. */
const SESSION_START = Buffer.concat([
  backendMessage('R', [0, 0, 0, 0]),
  backendMessage('S', [...Buffer.from('client_encoding\0UTF8\0')]),
  backendMessage('Z', [...Buffer.from('I')]),
]);

const TERMINATE = 'X'.charCodeAt(0);

/** How long the thread gets to write everything to its folder and end, in milliseconds; then it is ended. */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * One session with the embedded database, with the interface of the socket that the driver expects. The thread begins
 * and ends with it: whatever state a failure left the database in, the next session opens the folder anew.
 */
export class EmbeddedSocket extends Duplex {
  readonly #settings: WorkerSettings;
  #worker: Worker | undefined;
  #started = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(settings: WorkerSettings) {
    super();
    this.#settings = settings;
  }

  connect(): this {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: this.#settings,
      // Options of a process are for its own script, such as `--input-type`.
      execArgv: [],
    });
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.destroy(error));
    worker.on('exit', () =>
      this.destroy(new Error('the thread of the embedded database has ended')),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send([chunk]);
    done();
  }

  /** What was written while one message was on its way goes as one. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#closing);
    const worker = this.#worker;
    worker?.removeAllListeners();
    // The folder is free for the next session only when the thread is gone.
    void Promise.resolve(worker?.terminate()).finally(() => done(error));
  }

  #send(chunks: Buffer[]): void {
    if (!this.#started) {
      this.#started = true;
      this.push(SESSION_START);
      return;
    }
    if (chunks[0]?.[0] === TERMINATE) {
      this.#post({ kind: 'close' });
      this.#closing = setTimeout(() => this.destroy(), CLOSE_TIMEOUT_MS).unref();
      return;
    }
    // A copy, because the driver keeps its buffers and a transferred one is gone from this thread.
    const bytes = new Uint8Array(Buffer.concat(chunks));
    this.#worker?.postMessage({ kind: 'bytes', bytes }, [bytes.buffer]);
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.emit('connect');
        break;
      case 'bytes':
        this.push(Buffer.from(message.bytes.buffer));
        break;
      case 'closed':
        this.destroy();
    }
  }
}

function backendMessage(type: string, body: number[]): Buffer {
  const message = Buffer.alloc(1 + 4 + body.length);
  message.write(type, 0, 'latin1');
  message.writeInt32BE(4 + body.length, 1);
  message.set(body, 5);
  return message;
}
