// Who was given which positions of which feed, and when: gathered in memory and recorded in batches, so that reading is
// not slowed down (decision 0047). While the database fails it is kept, up to a bound, and recorded afterwards.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { FeedAccess } from '../feed/feed.js';
import { renderEntry } from './audit-entry.js';
import { type FeedAccessRow, insertFeedAccesses, lockChain } from './queries.js';

/** How long accesses are gathered, and how long after a failure they are written again, in milliseconds. */
const FLUSH_AFTER_MS = 1000;

/** Maximum number of rows of one record; with so many they are written at once. */
const MAX_BATCH_SIZE = 1000;

/** Maximum number of rows that wait to be written: in all some 20 MB. One organisation cannot fill the queue for all. */
const MAX_QUEUED = 100_000;
const MAX_QUEUED_BY_ORGANISATION = 20_000;

/** How long closing waits for the last rows to be written, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Maximum number of positions of one row: accesses that follow each other are joined up to so many. So who has read a
 * position is found among the rows that end at most so far behind it.
 */
export const FEED_ACCESS_SPAN = 1000;

type QueuedAccess = FeedAccessRow & { organisation: string };

/** Where failures are reported: of an attempt to write, and for each access that is never recorded. */
type FailureReports = {
  failed: (error: unknown) => void;
  dropped: (error: unknown) => void;
};

/** What is read on this server. */
export class FeedAccessLog {
  readonly #database: Database;
  readonly #reports: FailureReports;
  readonly #maxQueued: number;
  readonly #maxQueuedByOrganisation: number;
  /** What is gathered, by client and feed; the last access of each is the last of its list. */
  #gathered = new Map<string, QueuedAccess[]>();
  /** What is being written, or is written again after a failure. */
  #batch: QueuedAccess[] = [];
  readonly #queuedBy = new Map<string, number>();
  #queued = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(
    database: Database,
    reports: FailureReports,
    {
      maxQueued = MAX_QUEUED,
      maxQueuedByOrganisation = MAX_QUEUED_BY_ORGANISATION,
    }: { maxQueued?: number; maxQueuedByOrganisation?: number } = {},
  ) {
    this.#database = database;
    this.#reports = reports;
    this.#maxQueued = maxQueued;
    this.#maxQueuedByOrganisation = maxQueuedByOrganisation;
  }

  /** Takes what somebody was given; it is written within about a second. */
  readonly recordAccess = ({ feed, reader, first, last }: FeedAccess): void => {
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

  /** Adds an access to those that are gathered, or drops it when too many wait. */
  add(access: QueuedAccess): void {
    const { kind, owner, organisation, clientId } = access;
    // The client comes last, because its id may be any text.
    const key = `${kind} ${owner} ${organisation} ${clientId}`;
    const list = this.#gathered.get(key);
    const before = list?.at(-1);
    if (before !== undefined && join(before, access)) return;
    const queuedBy = this.#queuedBy.get(organisation) ?? 0;
    if (this.#queued >= this.#maxQueued || queuedBy >= this.#maxQueuedByOrganisation) {
      this.#reports.dropped(tooManyQueued);
      return;
    }
    if (list === undefined) this.#gathered.set(key, [access]);
    else list.push(access);
    this.#queued += 1;
    this.#queuedBy.set(organisation, queuedBy + 1);
    // After a failure a full batch waits like any other: the database is not asked again at each access.
    if (this.#queued === MAX_BATCH_SIZE) void this.flush();
    else this.#schedule();
  }

  /**
   * Writes what is queued. Resolves when it is written, or when writing has failed: then it stays queued and is written
   * again. One attempt at a time, so that they do not pile up while the database hangs.
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeQueued()
      .catch(this.#reports.failed)
      .finally(() => {
        this.#writing = undefined;
        this.#schedule();
      });
    return this.#writing;
  }

  /** Writes what is left; what cannot be written in time is dropped, and reported. */
  async close(): Promise<void> {
    const timeout = new AbortController();
    const late = delay(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(
      // It was aborted because everything is written.
      () => undefined,
    );
    await Promise.race([late, this.flush().then(() => this.flush())]);
    timeout.abort();
    this.#closed = true;
    clearTimeout(this.#timer);
    for (; this.#queued > 0; this.#queued--) this.#reports.dropped(serverClosed);
  }

  #schedule(): void {
    if (this.#queued === 0 || this.#closed || this.#writing !== undefined) return;
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Writes as many rows as are queued now, in batches. */
  async #writeQueued(): Promise<void> {
    for (let left = this.#queued; left > 0 && !this.#closed; ) {
      if (this.#batch.length === 0) this.#batch = this.#takeBatch();
      await this.#write(this.#batch);
      left -= this.#batch.length;
      this.#release(this.#batch);
      this.#batch = [];
    }
  }

  #takeBatch(): QueuedAccess[] {
    const batch: QueuedAccess[] = [];
    for (const [key, list] of this.#gathered) {
      batch.push(...list.splice(0, MAX_BATCH_SIZE - batch.length));
      if (list.length === 0) this.#gathered.delete(key);
      if (batch.length === MAX_BATCH_SIZE) break;
    }
    return batch;
  }

  #release(batch: readonly QueuedAccess[]): void {
    if (this.#closed) return;
    this.#queued -= batch.length;
    for (const { organisation } of batch) {
      const left = (this.#queuedBy.get(organisation) ?? 0) - 1;
      if (left > 0) this.#queuedBy.set(organisation, left);
      else this.#queuedBy.delete(organisation);
    }
  }

  /**
   * One transaction with one record. When the connection is lost at its commit, it may be written twice: an access that
   * is recorded twice says the same, one that is missing does not.
   */
  async #write(batch: readonly QueuedAccess[]): Promise<void> {
    const readings = batch.map(({ kind, organisation, clientId, ...access }) => ({
      organisation,
      client: clientId,
      feed: kind,
      ...access,
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
      await transaction.query(insertFeedAccesses(entry, batch));
    });
  }
}

const tooManyQueued = new Error('more feed accesses wait to be recorded than may wait');
const serverClosed = new Error('the server closed before the feed access could be recorded');

/** Whether the later access continues the earlier one, which then stands for both. */
function join(before: QueuedAccess, access: QueuedAccess): boolean {
  if (access.first !== before.last + 1) return false;
  if (access.last - before.first >= FEED_ACCESS_SPAN) return false;
  before.last = access.last;
  before.at = access.at;
  return true;
}
