// A response that is written while the request is still being read. A client may send everything before it reads, so
// unread bytes are buffered in memory and then in a file. At the limit of the file, the upload waits for its reader.
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '../new-id.js';
import { HttpError } from './problem.js';
import type { UnreadResults, UploadResults } from './unread-results.js';

/** Maximum size of the buffer in memory, in bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Bytes that are read from the file, or written to it, at once. */
const CHUNK_BYTES = 64 * 1024;

/** How long an upload waits for a client that reads none of its results, in milliseconds. */
const READ_TIMEOUT_MS = 30_000;

/** How often an upload that waits looks again, in milliseconds: room also appears when others end. */
const LOOK_AGAIN_AFTER_MS = 1000;

/** The response: call `add` for each text, then `finish`. */
export class SpooledResponse extends Readable {
  /** The bytes that the file may have. */
  readonly #limit: number;
  readonly #unread: UploadResults;
  readonly #readTimeoutMs: number;
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #file: FileHandle | undefined;
  /** What was written to the file and read from it since it was opened. It is used as a ring. */
  #written = 0;
  #read = 0;
  #wanted = false;
  #finished = false;
  #wakeWriter: () => void = () => undefined;
  /** Adding and reading run one after the other, because both change the same members. */
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(
    unread: UnreadResults,
    organisation: number,
    readTimeoutMs: number = READ_TIMEOUT_MS,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#limit = unread.uploadLimit;
    this.#unread = unread.open(organisation, () => this.destroy());
    this.#readTimeoutMs = readTimeoutMs;
  }

  /**
   * Adds text. Resolves once buffered, in memory or on disk. It waits for the client only when what that has not read is
   * at its limit; one `add` must be awaited before the next.
   *
   * @throws HttpError when the client reads nothing meanwhile
   */
  async add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      const chunk = bytes.subarray(start, start + CHUNK_BYTES);
      let read = this.#read;
      let since = performance.now();
      while (!(await this.#enqueue(() => this.#store(chunk)))) {
        if (this.#read !== read) {
          read = this.#read;
          since = performance.now();
          continue;
        }
        if (performance.now() - since >= this.#readTimeoutMs) throw this.#notRead();
        await this.#waitForRoom();
      }
    }
  }

  /** Stores bytes; false if there is no room for them. */
  async #store(bytes: Buffer): Promise<boolean> {
    if (this.destroyed) return true;
    // Once the file is in use, all further text goes there until the file is read, to keep the order.
    if (this.#file === undefined && this.#bufferedBytes + bytes.length <= MAX_BUFFERED_BYTES) {
      this.#buffered.push(bytes);
      this.#bufferedBytes += bytes.length;
    } else {
      if (!this.#unread.take(bytes.length)) return false;
      const at = this.#written % this.#limit;
      const atEnd = Math.min(bytes.length, this.#limit - at);
      // Counted before it is written: what fails ends the response, which releases it.
      this.#written += bytes.length;
      this.#file ??= await openUnnamed();
      await this.#file.write(bytes, 0, atEnd, at);
      if (atEnd < bytes.length) await this.#file.write(bytes, atEnd, bytes.length - atEnd, 0);
    }
    await this.#pushBuffered();
    return true;
  }

  /** Resolves when the client has read some of the file, or when others may have left room. */
  async #waitForRoom(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
      timer = setTimeout(resolve, Math.min(LOOK_AGAIN_AFTER_MS, this.#readTimeoutMs));
      if (this.destroyed || this.#file === undefined) resolve();
    });
    clearTimeout(timer);
  }

  #notRead(): HttpError {
    return new HttpError(
      400,
      `The upload ended: more than ${this.#written - this.#read} bytes of its results were not read for ${this.#readTimeoutMs / 1000} seconds`,
    );
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
      this.#unread.close();
      this.#written = this.#read;
      await this.#file?.close();
      this.#file = undefined;
      this.#wakeWriter();
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
    const at = this.#read % this.#limit;
    const length = Math.min(CHUNK_BYTES, this.#written - this.#read, this.#limit - at);
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, at);
    this.#read += bytesRead;
    this.#unread.release(bytesRead);
    if (this.#read === this.#written) {
      await this.#file.close();
      this.#file = undefined;
      this.#read = 0;
      this.#written = 0;
    }
    this.#wakeWriter();
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
