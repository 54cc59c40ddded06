// Who was given which positions of which feed, and when: gathered in memory and recorded in batches, so that reading is
// not slowed down. A crash loses the readings of the last second.
import type { Database } from '../database/database.js';
import type { FeedAccess } from '../feed/feed.js';
import { renderEntry } from './audit-entry.js';
import { insertReadings, lockChain, type ReadingRow } from './queries.js';

/** How long readings are gathered, in milliseconds. */
const FLUSH_AFTER = 1000;

/** Readings that are gathered at most: with so many they are recorded at once. */
const MOST_GATHERED = 1000;

/**
 * Positions that one row may stand for: readings that follow each other are joined up to so many. So who has read a
 * position is found among the rows that end at most so far behind it.
 */
export const READING_SPAN = 1000;

type Gathered = ReadingRow & { organisation: string };

/** What is read on this server. */
export class Readings {
  readonly #database: Database;
  /** The last reading of each client in each feed is the last of its list. */
  #gathered = new Map<string, Gathered[]>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes what somebody was given; it is recorded within about a second. */
  readonly note = ({ feed, reader, first, last }: FeedAccess): void => {
    this.add({
      kind: feed.kind.number,
      owner: feed.owner,
      organisation: reader.organisation,
      clientId: reader.clientId,
      first,
      last,
      at: new Date(),
    });
  };

  /** Adds a reading to those that are gathered. */
  add(reading: Gathered): void {
    const { kind, owner, organisation, clientId } = reading;
    // The client comes last, because its id may be any text.
    const key = `${kind} ${owner} ${organisation} ${clientId}`;
    const list = this.#gathered.get(key);
    const before = list?.at(-1);
    if (before !== undefined && join(before, reading)) return;
    if (list === undefined) this.#gathered.set(key, [reading]);
    else list.push(reading);
    this.#count += 1;
    if (this.#count >= MOST_GATHERED) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER).unref();
  }

  /** Records what is gathered, in one transaction with one record; resolves when it is recorded. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#gathered.values()].flat();
    this.#gathered = new Map();
    this.#count = 0;
    if (rows.length > 0) {
      // One after the other, so that a slow database does not get ever more of them at a time.
      this.#flushing = this.#flushing.then(() => this.#record(rows)).catch(() => undefined);
    }
    return this.#flushing;
  }

  /** Records what is left. */
  async close(): Promise<void> {
    await this.flush();
  }

  async #record(rows: readonly Gathered[]): Promise<void> {
    const readings = rows.map(({ kind, organisation, clientId, ...reading }) => ({
      organisation,
      client: clientId,
      feed: kind,
      ...reading,
    }));
    const entry = renderEntry({
      at: new Date(),
      actor: undefined,
      requestId: undefined,
      action: 'feeds.read',
      details: { readings },
    });
    await this.#database.transact(async (transaction) => {
      await transaction.query(lockChain);
      await transaction.query(insertReadings(entry, rows));
    });
  }
}

/** Whether the later reading goes on where the earlier one ended, which then stands for both. */
function join(before: Gathered, reading: Gathered): boolean {
  if (reading.first !== before.last + 1) return false;
  if (reading.last - before.first >= READING_SPAN) return false;
  before.last = reading.last;
  before.at = reading.at;
  return true;
}
