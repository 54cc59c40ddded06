// Records who read which positions of which feed, and when, each once a day (decision 0046). Accesses are collected in
// memory and written in batches, so that reading is not slowed down (decision 0046). While the database fails they are
// kept, up to a limit.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { FeedAccess } from '../feed/feed.js';
import { KeyCounts } from '../key-counts.js';
import { renderEntry } from './audit-entry.js';
import { type FeedAccessRow, insertFeedAccesses } from './queries.js';
import { RecordedPositions } from './recorded-positions.js';

/** How long accesses are collected before a write, and the delay of a retry, in milliseconds. */
const FLUSH_AFTER_MS = 1000;

/** Maximum number of rows of one record; a full batch is written at once. */
const MAX_BATCH_SIZE = 1000;

/** Maximum number of queued rows, about 20 MB. One organisation cannot fill the queue for all. */
const MAX_QUEUED = 100_000;
const MAX_QUEUED_BY_ORGANISATION = 20_000;

/** How long closing waits for the last write, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Maximum number of positions of one row: adjacent accesses are merged up to it. It bounds the index range in which the
 * readers of a position are searched.
 */
export const FEED_ACCESS_SPAN = 1000;

type QueuedAccess = FeedAccessRow & { organisation: string };

/** Callbacks for a failed write, and for each access that is never recorded. */
type FailureReports = {
  failed: (error: unknown) => void;
  dropped: (error: unknown) => void;
};

/** Records the feed accesses of this server. */
export class FeedAccessLog {
  readonly #database: Database;
  readonly #reports: FailureReports;
  readonly #maxQueued: number;
  readonly #maxQueuedByOrganisation: number;
  readonly #clock: () => Date;
  /** What was queued or written, which is not recorded again on the same day. */
  readonly #recorded = new RecordedPositions();
  /** Collected accesses by client and feed, oldest first. */
  #collected = new Map<string, QueuedAccess[]>();
  /** The batch that is being written or retried. */
  #batch: QueuedAccess[] = [];
  readonly #queuedBy = new KeyCounts<string>();
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
      clock = () => new Date(),
    }: { maxQueued?: number; maxQueuedByOrganisation?: number; clock?: () => Date } = {},
  ) {
    this.#database = database;
    this.#reports = reports;
    this.#maxQueued = maxQueued;
    this.#maxQueuedByOrganisation = maxQueuedByOrganisation;
    this.#clock = clock;
    // Positions may be those of other entries now, and what was recorded of the earlier ones may be lost.
    database.replacements.onOutdated(() => this.#recorded.clear());
    // The feeds that were read are gone.
    database.replacements.onReplaced(() => {
      this.#collected.clear();
      this.#queuedBy.clear();
      this.#queued = this.#batch.length;
    });
  }

  /** Queues an access; it is written within about a second. */
  readonly recordAccess = ({ feed, reader, first, last }: FeedAccess): void => {
    this.add({
      kind: feed.kind.number,
      owner: feed.owner,
      organisation: reader.organisation,
      clientId: reader.clientId,
      first,
      last,
      at: this.#clock(),
    });
  };

  /** Queues what the client has not received before on the same day, or drops it when the queue is full. */
  add(access: QueuedAccess): void {
    const { kind, owner, organisation, clientId, at } = access;
    // The client comes last, because its id may be any text.
    const key = `${kind} ${owner} ${organisation} ${clientId}`;
    for (const range of this.#recorded.findNew(key, at, access)) {
      if (this.#queue(key, { ...access, ...range })) this.#recorded.add(key, at, range);
    }
  }

  /** Whether it is queued. */
  #queue(key: string, access: QueuedAccess): boolean {
    const { organisation } = access;
    const list = this.#collected.get(key);
    const before = list?.at(-1);
    if (before !== undefined && merge(before, access)) return true;
    const queuedBy = this.#queuedBy.of(organisation);
    if (this.#queued >= this.#maxQueued || queuedBy >= this.#maxQueuedByOrganisation) {
      this.#reports.dropped(tooManyQueued);
      return false;
    }
    if (list === undefined) this.#collected.set(key, [access]);
    else list.push(access);
    this.#queued += 1;
    this.#queuedBy.add(organisation);
    // Only when the batch becomes full: after a failure it waits for the retry, not for each further access.
    if (this.#queued === MAX_BATCH_SIZE) void this.flush();
    else this.#schedule();
    return true;
  }

  /**
   * Writes the queue. Also resolves when a write fails: then the rows stay queued and are retried. Writes do not overlap,
   * so that they do not pile up while the database hangs.
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

  /** Writes the rest of the queue. Rows that cannot be written in time are dropped and reported. */
  async close(): Promise<void> {
    const timeout = new AbortController();
    const late = delay(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(
      // Aborted, because everything is written.
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

  /** Writes the rows that are queued now, in batches. */
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
    for (const [key, list] of this.#collected) {
      batch.push(...list.splice(0, MAX_BATCH_SIZE - batch.length));
      if (list.length === 0) this.#collected.delete(key);
      if (batch.length === MAX_BATCH_SIZE) break;
    }
    return batch;
  }

  #release(batch: readonly QueuedAccess[]): void {
    if (this.#closed) return;
    this.#queued -= batch.length;
    for (const { organisation } of batch) this.#queuedBy.remove(organisation);
  }

  /**
   * Writes one transaction with one record. If the connection is lost during the commit, the batch may be recorded twice,
   * which is better than not at all.
   */
  async #write(batch: readonly QueuedAccess[]): Promise<void> {
    const feedAccesses = batch.map(({ kind, organisation, clientId, ...access }) => ({
      organisation,
      client: clientId,
      feed: kind,
      ...access,
    }));
    const entry = renderEntry({
      at: this.#clock(),
      actor: undefined,
      requestId: undefined,
      action: 'feeds.read',
      details: { feedAccesses },
    });
    await this.#database.transact(async (transaction) => {
      await transaction.query(insertFeedAccesses(entry, batch));
    });
  }
}

const tooManyQueued = new Error('the queue of feed accesses is full');
const serverClosed = new Error('the server closed before the feed access could be recorded');

/** Merges the later access into the earlier one if it continues it. */
function merge(before: QueuedAccess, access: QueuedAccess): boolean {
  if (access.first !== before.last + 1) return false;
  if (access.last - before.first >= FEED_ACCESS_SPAN) return false;
  before.last = access.last;
  before.at = access.at;
  return true;
}
