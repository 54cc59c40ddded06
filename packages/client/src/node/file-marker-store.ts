// Keeps the position of a follower in a file.
import {
  closeSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { isError } from '../errors/is-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { parseRecord } from '../errors/read-api-error.js';
import type { FollowedFeed, MarkerStore } from '../following/marker-store.js';
import { type FileLock, lockFile } from './file-lock.js';
import { replaceFile } from './replace-file.js';

/** The file is written anew when it is larger, in bytes. */
const MAX_FILE_BYTES = 256 * 1024;

const sync = promisify(fdatasync);

/** Options of a marker file. */
export type FileMarkerStoreOptions = {
  /**
   * Whether markers survive a power cut, not only the death of the program. Each write then waits for the disk: follow
   * in pages.
   */
  durable?: boolean | undefined;
};

/** The path is that of the lock: the file behind a symbolic link is replaced, not the link. */
type OpenFile = { descriptor: number; bytes: number; header: string; lock: FileLock };

/**
 * A marker store in a file, for one follower at a time: another process is refused.
 *
 * The first line names the service and the feed; the last complete line is the marker. A marker is appended, which takes
 * microseconds, and a file that has grown is replaced atomically. A program that is killed leaves the marker of the last
 * entry whose turn of the loop had ended.
 *
 * @example
 * const store = new FileMarkerStore('signals.marker');
 * for await (const signal of landfall.followRouting({ store })) await handle(signal);
 */
export class FileMarkerStore implements MarkerStore {
  readonly #path: string;
  readonly #durable: boolean;
  #open: OpenFile | undefined;

  constructor(path: string, { durable = false }: FileMarkerStoreOptions = {}) {
    this.#path = path;
    this.#durable = durable;
  }

  /** @throws ConfigurationError when the file is another follower's, or of another service or feed */
  async read(followed: FollowedFeed): Promise<string | undefined> {
    const lock = await lockFile(this.#path);
    try {
      const { service, feed } = followed;
      const header = `${JSON.stringify({ service, feed })}\n`;
      const marker = this.#readMarker(lock.path, header);
      this.#replaceAndOpen(header, marker, lock);
      return marker;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  write(marker: string): void | Promise<void> {
    const open = this.#open;
    if (open === undefined) throw new ConfigurationError(`${this.#path} is not open`);
    if (open.bytes > MAX_FILE_BYTES) {
      // Windows replaces no open file.
      closeSync(open.descriptor);
      this.#open = undefined;
      this.#replaceAndOpen(open.header, marker, open.lock);
      return undefined;
    }
    const line = Buffer.from(`${marker}\n`);
    const written = writeSync(open.descriptor, line);
    if (written !== line.length) {
      // The next marker would be part of this line.
      ftruncateSync(open.descriptor, open.bytes);
      throw new Error(
        `${this.#path}: only ${written} of ${line.length} bytes of a marker could be written: is the disk full?`,
      );
    }
    open.bytes += written;
    return this.#durable ? sync(open.descriptor) : undefined;
  }

  close(): void {
    if (this.#open === undefined) return;
    closeSync(this.#open.descriptor);
    this.#open.lock.release();
    this.#open = undefined;
  }

  #readMarker(path: string, header: string): string | undefined {
    let text: string;
    try {
      // Reading a pipe waits for its writer, and a device would be replaced by a file.
      if (!statSync(path).isFile()) throw new ConfigurationError(`${this.#path} is not a file`);
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (isError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    // An empty file is one that the user created.
    if (text === '') return undefined;
    const [first = '', ...lines] = text.split('\n');
    if (`${first}\n` !== header) {
      const { feed, service } = parseRecord(first);
      const content =
        feed === undefined ? 'is no marker file' : `has the marker of ${feed} at ${service}`;
      throw new ConfigurationError(`${this.#path} ${content}, not of ${header.trim()}`);
    }
    // What follows the last line break was not written completely.
    return lines.slice(0, -1).at(-1);
  }

  /** Replaces the file by one with only this marker, and opens it for appending. Without success, nothing is locked. */
  #replaceAndOpen(header: string, marker: string | undefined, lock: FileLock): void {
    const text = marker === undefined ? header : `${header}${marker}\n`;
    const { path } = lock;
    try {
      replaceFile(path, text, this.#durable);
      const descriptor = openSync(path, 'a');
      this.#open = { descriptor, bytes: Buffer.byteLength(text), header, lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  }
}
