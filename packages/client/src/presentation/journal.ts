// Where `presentMany` keeps what it has sent, so that it can be resumed.
import type { ValidationError } from '../contract/types.js';

/** What is known of one presentation. */
export type JournalEntry = {
  /** Identifies the presentation within the journal. */
  key: string;
  /** Digest of the presentation, without its requestId. */
  digest: string;
  requestId: string;
  /** Left out until the outcome is known. */
  outcome?: 'presented' | 'refused' | undefined;
  /** Only with `refused`. */
  errors?: readonly ValidationError[] | undefined;
};

/**
 * Keeps the entries of one batch of presentations. Use it for one organisation and one service, in one process at a
 * time.
 *
 * To keep them in a database: `write` inserts a row, or replaces the one with this key, and resolves after the commit.
 */
export type PresentationJournal = {
  /** The last entry that was written with this key. */
  read(key: string): Promise<JournalEntry | undefined>;
  /** Resolves when the entry is stored durably: only then is its request sent. */
  write(entry: JournalEntry): Promise<void>;
};

/** A journal in memory: resumes after an error, but not after the end of the program. */
export class MemoryJournal implements PresentationJournal {
  readonly #entries = new Map<string, JournalEntry>();

  async read(key: string): Promise<JournalEntry | undefined> {
    return this.#entries.get(key);
  }

  async write(entry: JournalEntry): Promise<void> {
    this.#entries.set(entry.key, entry);
  }
}
