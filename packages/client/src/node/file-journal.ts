// A journal of what is presented or lodged in a file: one entry a line, appended.
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MovementStatus } from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { parseRecord } from '../errors/read-api-error.js';
import type { Journal, JournalEntry } from '../settling/journal.js';
import { type FileLock, lockFile } from './file-lock.js';

/** Options of a journal in a file. */
export type FileJournalOptions = {
  /**
   * Whose requests these are, such as the address of the service and the client id. It is the first line of the
   * file: a journal of another owner, in which the goods look presented, is refused.
   */
  owner?: Readonly<Record<string, string>> | undefined;
};

/**
 * Keeps the journal of `presentMany` or `lodgeMany` in a file, and its entries in memory. An entry is on the disk when `write`
 * resolves; entries that are written at the same time share one flush. The file is locked: with two journals, an item would be sent twice.
 *
 * @example
 * const journal = await FileJournal.open('presentations.ndjson');
 */
export class FileJournal implements Journal {
  readonly #file: FileHandle;
  readonly #lock: FileLock;
  readonly #entries: Map<string, JournalEntry>;
  #lines: string[] = [];
  /** Resolves when all lines before `#lines` are on the disk. After a failure, so does every later one fail. */
  #written: Promise<void> = Promise.resolve();
  /** The write of `#lines`, which begins when the one before it has ended. */
  #next: Promise<void> | undefined;

  private constructor(file: FileHandle, lock: FileLock, entries: Map<string, JournalEntry>) {
    this.#file = file;
    this.#lock = lock;
    this.#entries = entries;
  }

  /**
   * Opens a journal, or creates it. An incomplete last line, left by a crash, is removed: its `write` had not resolved.
   *
   * @throws ConfigurationError when the file has anything else than entries, has another owner, or is open elsewhere
   */
  static async open(path: string, { owner }: FileJournalOptions = {}): Promise<FileJournal> {
    const lock = await lockFile(path);
    let file: FileHandle | undefined;
    try {
      file = await open(lock.path, 'a+', 0o600);
      const header = owner && JSON.stringify(owner);
      const entries = await readEntries(file, path, header);
      if (header !== undefined && (await file.stat()).size === 0) {
        await file.appendFile(`${header}\n`);
        await file.datasync();
      }
      await syncFolder(dirname(lock.path));
      return new FileJournal(file, lock, entries);
    } catch (error) {
      await file?.close();
      lock.release();
      throw error;
    }
  }

  async read(key: string): Promise<JournalEntry | undefined> {
    return this.#entries.get(key);
  }

  async write(entry: JournalEntry): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`);
    this.#next ??= this.#written = this.#written.then(() => this.#flush());
    await this.#next;
    this.#entries.set(entry.key, entry);
  }

  /** Closes the file after what is being written. */
  async close(): Promise<void> {
    // Who writes gets the error.
    await this.#written.catch(() => undefined);
    await this.#file.close();
    this.#lock.release();
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#next = undefined;
    await this.#file.appendFile(text);
    await this.#file.datasync();
  }
}

/** @param header the first line, if there must be one */
async function readEntries(
  file: FileHandle,
  path: string,
  header: string | undefined,
): Promise<Map<string, JournalEntry>> {
  const entries = new Map<string, JournalEntry>();
  let size = 0;
  let number = 0;
  let rest = '';
  const stream = file.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' });
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number++;
      size += Buffer.byteLength(line) + 1;
      if (number === 1 && header !== undefined) {
        if (line === header) continue;
        const other = readEntry(line) === undefined ? line : 'no owner';
        throw new ConfigurationError(`${path} is a journal of ${other}, not of ${header}`);
      }
      const entry = readEntry(line);
      if (entry === undefined) {
        throw new ConfigurationError(`${path}: line ${number} is not an entry of a journal`);
      }
      entries.set(entry.key, entry);
    }
  }
  if (rest !== '') await file.truncate(size);
  return entries;
}

function readEntry(line: string): JournalEntry | undefined {
  const { key, digest, requestId, outcome, errors, status } = parseRecord(line);
  if (typeof key !== 'string' || typeof digest !== 'string' || typeof requestId !== 'string') {
    return undefined;
  }
  // The cast is true of what `write` was given.
  const sent = {
    key,
    digest,
    requestId,
    ...(status !== undefined && { status: status as MovementStatus }),
  };
  if (outcome === undefined) return sent;
  if (outcome === 'presented') return { ...sent, outcome };
  // What was lodged has an MRN.
  if (outcome === 'lodged') return status === undefined ? undefined : { ...sent, outcome };
  if (outcome !== 'refused' || !Array.isArray(errors)) return undefined;
  return { ...sent, outcome, errors };
}

/** A new file survives a power cut only if its folder is on the disk too. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and needs no flush of it.
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
