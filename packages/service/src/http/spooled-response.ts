// A response that is written while the request is still read. The client may read it at once, or only after it has
// sent everything: unread bytes are kept in memory first and then in a file, so that neither side waits for the other.
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '../new-id.js';

/** How much is buffered in memory, in bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** How much is read from the file at once, in bytes. */
const CHUNK_BYTES = 64 * 1024;

/** The response; `add` text, then `finish`. */
export class SpooledResponse extends Readable {
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #file: FileHandle | undefined;
  #written = 0;
  #read = 0;
  #wanted = false;
  #finished = false;
  /** Adding and reading run one after the other: both change the same members. */
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor() {
    super({ highWaterMark: CHUNK_BYTES });
  }

  /** Adds text. Resolves once buffered, in memory or on disk; never waits for the client. */
  add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    return this.#enqueue(async () => {
      if (this.destroyed) return;
      // Once something is in the file, what comes after it goes there too, until the file is read.
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

  /** Says that nothing more is added. */
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

  /** Pushes as much as the reader wants, oldest first. */
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

  /** The next chunk of the file, which is closed at its end. */
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
    // Whoever enqueued the step handles its error; the next step runs all the same.
    this.#lastStep = step.catch(() => undefined);
    return step;
  }
}

/** A file without a name: gone when it is closed, however this process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `landfall-response-${newId()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
