// An answer that is written while the request is still read. A client may read it at once, or only after it has sent
// everything: what is not read yet waits, first in memory and then in a file, so that neither waits for the other.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** How much waits in memory, in bytes. */
const MEMORY = 256 * 1024;

/** How much is read from the file at once, in bytes. */
const PART = 64 * 1024;

/** The answer; `add` what comes, then `finish`. */
export class PatientAnswer extends Readable {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #file: FileHandle | undefined;
  #written = 0;
  #read = 0;
  #wanted = false;
  #finished = false;
  /** Adding and reading go one after the other: both move the same things. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor() {
    super({ highWaterMark: PART });
  }

  /** Adds text; resolves when it is taken care of, which may need the disk but never the client. */
  add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    return this.#inTurn(async () => {
      if (this.destroyed) return;
      // Once something is in the file, what comes after it goes there too, until the file is read.
      if (this.#file === undefined && this.#waitingBytes + bytes.length <= MEMORY) {
        this.#waiting.push(bytes);
        this.#waitingBytes += bytes.length;
      } else {
        this.#file ??= await openUnnamed();
        await this.#file.write(bytes, 0, bytes.length, this.#written);
        this.#written += bytes.length;
      }
      await this.#give();
    });
  }

  /** Says that nothing more is added. */
  finish(): Promise<void> {
    return this.#inTurn(async () => {
      this.#finished = true;
      await this.#give();
    });
  }

  override _read(): void {
    this.#wanted = true;
    this.#inTurn(() => this.#give()).catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#inTurn(async () => {
      this.#waiting = [];
      await this.#file?.close();
      this.#file = undefined;
    }).then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }

  /** Gives as much as is wanted, oldest first. */
  async #give(): Promise<void> {
    while (this.#wanted && !this.destroyed) {
      const bytes = this.#waiting.shift() ?? (await this.#readPart());
      if (bytes === undefined) break;
      this.#waitingBytes = this.#waiting.reduce((sum, { length }) => sum + length, 0);
      this.#wanted = this.push(bytes);
    }
    const empty = this.#waiting.length === 0 && this.#file === undefined;
    if (this.#finished && empty && !this.destroyed) {
      this.#wanted = false;
      this.push(null);
    }
  }

  /** The next part of the file; when it is read to its end, it is done with. */
  async #readPart(): Promise<Buffer | undefined> {
    if (this.#file === undefined) return undefined;
    const length = Math.min(PART, this.#written - this.#read);
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

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/** A file without a name: gone when it is closed, however this process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `landfall-answer-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
