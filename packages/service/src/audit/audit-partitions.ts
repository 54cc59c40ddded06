// The partitions of the audit trail, in the background, by one server at a time: created ahead, and removed by retention.
import { BackgroundJob } from '../background-job.js';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import { createPartitionsAhead } from '../database/partitions.js';
import type { RemovalClock } from '../database/removal-clock.js';
import { auditTables, removeFeedAccesses, removeRecords } from './remove-audit.js';

/** How long each kind is kept, in days; 0: for ever. */
export type AuditRetention = { auditRetention: number; feedAccessRetention: number };

const DAY_MS = 86_400_000;

/** How often each server checks the partitions, in milliseconds. */
const INTERVAL_MS = 240_000;

/** How many months after the current one have a partition. */
const MONTHS_AHEAD = 3;

/** Maintains the partitions. A playground's own clock has no effect: the database sets the times of records. */
export class AuditPartitions {
  readonly #database: Database;
  readonly #retention: AuditRetention;
  readonly #clock: RemovalClock;
  readonly #job: BackgroundJob;

  /** @param reportFailure is called with the error of each run that fails; the next run continues */
  constructor(
    database: Database,
    retention: AuditRetention,
    clock: RemovalClock,
    reportFailure: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#retention = retention;
    this.#clock = clock;
    this.#job = new BackgroundJob(INTERVAL_MS, () => this.run(), reportFailure);
  }

  start(): void {
    this.#job.start();
  }

  /** Maintains the partitions now, unless another server does. */
  async run(): Promise<void> {
    const release = await this.#database.tryLock(SESSION_LOCKS.partitions, () => undefined);
    if (release === undefined) return;
    try {
      const now = await this.#clock.now();
      for (const table of auditTables) {
        await createPartitionsAhead(this.#database, table, { now, ahead: MONTHS_AHEAD });
      }
      const { auditRetention, feedAccessRetention } = this.#retention;
      if (auditRetention > 0) {
        const before = await this.#clock.cutoff(auditRetention * DAY_MS);
        await removeRecords(this.#database, before, now);
      }
      if (feedAccessRetention > 0) {
        const before = await this.#clock.cutoff(feedAccessRetention * DAY_MS);
        await removeFeedAccesses(this.#database, before, now);
      }
    } finally {
      await release();
    }
  }

  /** Ends it after the run that is in progress. */
  close(): Promise<void> {
    return this.#job.close();
  }
}
