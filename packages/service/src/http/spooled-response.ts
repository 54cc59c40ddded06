// A response that is written while the request is still being read. A client may send everything before it reads, so
// unread bytes are buffered in memory and then in a file. At the limit of the file, the upload waits for its reader.
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '../new-id.js';
import type { UnreadResults, UploadResults } from './unread-results.js';

/** Maximum size of the buffer in memory, in bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Bytes that are read from the file, or written to it, at once. */
const CHUNK_BYTES = 64 * 1024;

/** How fast the results of an upload that has ended must be read on average, in bytes a second. */
const MIN_READ_RATE = 16 * 1024;

/** How often an upload that waits looks again, in milliseconds: room also appears when others end. */
const LOOK_AGAIN_AFTER_MS = 1000;

/** The client did not read: the upload must end. */
export class ResultsNotReadError extends Error {
  readonly code = 'RESULTS_NOT_READ';
  override name = 'ResultsNotReadError';
  /** How many of the lines that were added last are in the response. */
  readonly addedLines: number;
  readonly seconds: number;

  constructor(addedLines: number, seconds: number) {
    super(`results of the upload were not read for ${seconds} seconds`);
    this.addedLines = addedLines;
    this.seconds = seconds;
  }
}

/** The response: call `add` for all lines, then `finish`, or `finishUnread` if they are not read. */
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
  /** Is sent after everything else. It needs no room. */
  #last: Buffer | undefined;
  /** What was given to the connection. */
  #sentBytes = 0;
  #watch: NodeJS.Timeout | undefined;
  #wakeWriter: () => void = () => undefined;
  /** Adding and reading run one after the other, because both change the same members. */
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(unread: UnreadResults, organisation: number) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#limit = unread.uploadLimit;
    this.#unread = unread.open(organisation, () => this.destroy());
    this.#readTimeoutMs = unread.readTimeoutMs;
  }

  /**
   * Adds lines, each as a whole. Resolves once buffered, in memory or on disk. It waits for the client only when what
   * that has not read is at its limit; one `add` must be awaited before the next.
   *
   * @throws ResultsNotReadError when the client reads nothing meanwhile
   */
  async add(lines: readonly string[]): Promise<void> {
    let added = 0;
    for (const chunk of joinLines(lines)) {
      let sent = this.#sentBytes;
      let since = performance.now();
      while (!(await this.#enqueue(() => this.#store(chunk.bytes)))) {
        if (this.#sentBytes !== sent) {
          sent = this.#sentBytes;
          since = performance.now();
          continue;
        }
        if (performance.now() - since >= this.#readTimeoutMs) {
          throw new ResultsNotReadError(added, this.#readTimeoutMs / 1000);
        }
        await this.#waitForRoom();
      }
      added += chunk.lines;
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
      await writeAll(this.#file, bytes.subarray(0, atEnd), at);
      await writeAll(this.#file, bytes.subarray(atEnd), 0);
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

  /** Ends the response with a text; nothing can be added after this. */
  finish(last = ''): Promise<void> {
    return this.#enqueue(async () => {
      this.#finished = true;
      if (last !== '') this.#last = Buffer.from(last);
      await this.#pushBuffered();
    });
  }

  /** The same for an upload that ends because it is not read: what it has is there for a client that reads it soon. */
  async finishUnread(last: string): Promise<void> {
    const unread = this.#bufferedBytes + this.#written - this.#read;
    const deadline = performance.now() + this.#readTimeoutMs + (unread / MIN_READ_RATE) * 1000;
    let sent = this.#sentBytes;
    let since = performance.now();
    this.#watch = setInterval(
      () => {
        const now = performance.now();
        if (this.#sentBytes !== sent) {
          sent = this.#sentBytes;
          since = now;
        }
        if (now >= deadline || now - since >= this.#readTimeoutMs) this.destroy();
      },
      Math.min(LOOK_AGAIN_AFTER_MS, this.#readTimeoutMs),
    );
    await this.finish(last);
  }

  override _read(): void {
    this.#wanted = true;
    this.#enqueue(() => this.#pushBuffered()).catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearInterval(this.#watch);
    this.#enqueue(async () => {
      this.#buffered = [];
      this.#last = undefined;
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
      const bytes = this.#buffered.shift() ?? (await this.#readChunk()) ?? this.#takeLast();
      if (bytes === undefined) break;
      this.#bufferedBytes = this.#buffered.reduce((sum, { length }) => sum + length, 0);
      this.#sentBytes += bytes.length;
      this.#wanted = this.push(bytes);
    }
    const empty =
      this.#buffered.length === 0 && this.#file === undefined && this.#last === undefined;
    if (this.#finished && empty && !this.destroyed) {
      this.#wanted = false;
      this.push(null);
    }
  }

  #takeLast(): Buffer | undefined {
    const last = this.#last;
    this.#last = undefined;
    return last;
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

/** Joins lines to chunks, without dividing one. */
function* joinLines(lines: readonly string[]): Generator<{ bytes: Buffer; lines: number }> {
  let start = 0;
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const length = Buffer.byteLength(line);
    if (index > start && bytes + length > CHUNK_BYTES) {
      yield { bytes: Buffer.from(lines.slice(start, index).join('')), lines: index - start };
      start = index;
      bytes = 0;
    }
    bytes += length;
  }
  if (bytes > 0) {
    yield { bytes: Buffer.from(lines.slice(start).join('')), lines: lines.length - start };
  }
}

/** A disk that is nearly full may take a part of what is written. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.subarray(written);
    written += (await file.write(rest, 0, rest.length, position + written)).bytesWritten;
  }
}

/** Opens a file without a name, which the system removes when it is closed, however the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `landfall-response-${newId()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
