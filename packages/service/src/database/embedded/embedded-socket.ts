// A socket whose other end is the embedded database's thread, so that the one PostgreSQL driver serves both.
import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import type { FromWorker } from './messages.js';

/** What a PostgreSQL server says when a session starts and needs no password: ready, and idle. */
const SESSION_START = Buffer.concat([
  backendMessage('R', [0, 0, 0, 0]),
  backendMessage('S', [...Buffer.from('client_encoding\0UTF8\0')]),
  backendMessage('Z', [...Buffer.from('I')]),
]);

const TERMINATE = 'X'.charCodeAt(0);

/** One session with the embedded database, with the face of the socket that the driver expects. */
export class EmbeddedSocket extends Duplex {
  readonly #worker: Worker;
  #started = false;

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on('message', this.#receive);
    worker.on('error', this.#fail);
    worker.on('exit', this.#end);
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
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
    this.#worker.off('message', this.#receive);
    this.#worker.off('error', this.#fail);
    this.#worker.off('exit', this.#end);
    done(error);
  }

  #send(chunks: Buffer[]): void {
    if (!this.#started) {
      this.#started = true;
      this.push(SESSION_START);
      return;
    }
    if (chunks[0]?.[0] === TERMINATE) {
      this.destroy();
      return;
    }
    // A copy, because the driver keeps its buffers and a transferred one is gone from this thread.
    const bytes = new Uint8Array(Buffer.concat(chunks));
    this.#worker.postMessage({ kind: 'bytes', bytes }, [bytes.buffer]);
  }

  readonly #receive = (message: FromWorker): void => {
    if (message.kind === 'bytes') this.push(Buffer.from(message.bytes.buffer));
  };

  readonly #fail = (error: Error): void => {
    this.destroy(error);
  };

  readonly #end = (): void => {
    this.destroy(new Error('the thread of the embedded database has ended'));
  };
}

function backendMessage(type: string, body: number[]): Buffer {
  const message = Buffer.alloc(1 + 4 + body.length);
  message.write(type, 0, 'latin1');
  message.writeInt32BE(4 + body.length, 1);
  message.set(body, 5);
  return message;
}
