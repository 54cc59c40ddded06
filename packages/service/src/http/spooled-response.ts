// A response that is written while the request is still being read. A client may send everything before it reads, so
// unread bytes are buffered in memory and then in a file: neither side waits for the other.
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '../new-id.js';

/** Maximum size of the buffer in memory, in bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Bytes that are read from the file at once. */
const CHUNK_BYTES = 64 * 1024;

/** The response: call `add` for each text, then `finish`. */
export class SpooledResponse extends Readable {
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #file: FileHandle | undefined;
  #written = 0;
  #read = 0;
  #wanted = false;
  #finished = false;
  /** Adding and reading run one after the other, because both change the same members. */
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor() {
    super({ highWaterMark: CHUNK_BYTES });
  }

  /** Adds text. Resolves once buffered, in memory or on disk; never waits for the client. */
  add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    return this.#enqueue(async () => {
      if (this.destroyed) return;
      // Once the file is in use, all further text goes there until the file is read, to keep the order.
      if (this.#file === undefined && this.#bufferedBytes + bytes.length <= MAX_BUFFERED_BYTES) {
        this.#buffered.push(bytes);
        this.#bufferedBytes += bytes.length;
      } else {
        this.#file ??= await openUnnamed();
        await this.#file.write(bytes, 0, bytes.length, this.#written);
        this.#written += bytes.length;
      }
      await this.#pushBuffered();
    });
  }

  /** Ends the response; nothing can be added after this. */
  finish(): Promise<void> {
    return this.#enqueue(async () => {
      this.#finished = true;
      await this.#pushBuffered();
    });
  }

  override _read(): void {
    this.#wanted = true;
    this.#enqueue(() => this.#pushBuffered()).catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#enqueue(async () => {
      this.#buffered = [];
      await this.#file?.close();
      this.#file = undefined;
    }).then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }

  /** Pushes as much as the reader requests, oldest first. */
  async #pushBuffered(): Promise<void> {
    while (this.#wanted && !this.destroyed) {
      const bytes = this.#buffered.shift() ?? (await this.#readChunk());
      if (bytes === undefined) break;
      this.#bufferedBytes = this.#buffered.reduce((sum, { length }) => sum + length, 0);
      this.#wanted = this.push(bytes);
    }
    const empty = this.#buffered.length === 0 && this.#file === undefined;
    if (this.#finished && empty && !this.destroyed) {
      this.#wanted = false;
      this.push(null);
    }
  }

  /** The next chunk of the file; closes the file at its end. */
  async #readChunk(): Promise<Buffer | undefined> {
    if (this.#file === undefined) return undefined;
    const length = Math.min(CHUNK_BYTES, this.#written - this.#read);
    const { buffer, bytesRead } = await this.#file.read(
      Buffer.alloc(length),
      0,
      length,
      this.#read,
    );
    this.#read += bytesRead;
    if (this.#read === this.#written) {
      await this.#file.close();
      this.#file = undefined;
      this.#read = 0;
      this.#written = 0;
    }
    return buffer.subarray(0, bytesRead);
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const step = this.#lastStep.then(work);
    // The caller handles the error of its step; the next step still runs.
    this.#lastStep = step.catch(() => undefined);
    return step;
  }
}

/** Opens a file without a name, which the system removes when it is closed, however the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `landfall-response-${newId()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
