// Where `presentMany` and `lodgeMany` keep what they have sent, so that they can be resumed.
import type { MovementStatus, ValidationError } from '../contract/types.js';

/** What is known of one request. */
export type JournalEntry = {
  /** Identifies what is presented or lodged within the journal. */
  key: string;
  /** Digest of its content, without its requestId. */
  digest: string;
  requestId: string;
  /** Left out until the outcome is known. */
  outcome?: 'presented' | 'lodged' | 'refused' | undefined;
  /** Only with `refused`. */
  errors?: readonly ValidationError[] | undefined;
  /** Only of movement messages that have one: those that were refused at once have none. */
  status?: MovementStatus | undefined;
};

/**
 * Keeps the entries of one batch of requests. Use it for one organisation and one service, in one process at a
 * time.
 *
 * To keep them in a database: `write` inserts a row, or replaces the one with this key, and resolves after the commit.
 */
export type Journal = {
  /** The last entry that was written with this key. */
  read(key: string): Promise<JournalEntry | undefined>;
  /** Resolves when the entry is stored durably: only then is its request sent. */
  write(entry: JournalEntry): Promise<void>;
};

/** A journal in memory: resumes after an error, but not after the end of the program. */
export class MemoryJournal implements Journal {
  readonly #entries = new Map<string, JournalEntry>();

  async read(key: string): Promise<JournalEntry | undefined> {
    return this.#entries.get(key);
  }

  async write(entry: JournalEntry): Promise<void> {
    this.#entries.set(entry.key, entry);
  }
}
