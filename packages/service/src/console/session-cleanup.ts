// Deletes sessions that have ended, in the background: what the database has of a person does not outlive their session.
import { BackgroundJob } from '../background-job.js';
import type { Database, Statement } from '../database/database.js';
import type { RemovalClock } from '../database/removal-clock.js';
import type { Measure } from '../metrics/measure.js';
import { deleteEndedLogouts, deleteEndedSessions } from './session-queries.js';
import { sessionLimits } from './sessions.js';

/** How long an ended session is kept at most, in milliseconds. */
const INTERVAL_MS = 60_000;

/** How many rows one statement deletes. */
const BATCH_SIZE = 1000;

/** How many statements one run has: the next run continues. */
const MAX_BATCHES = 100;

/** Deletes them every minute, on every server: two servers share the work. */
export class SessionCleanup {
  readonly #database: Database;
  readonly #idleMs: number;
  readonly #clock: RemovalClock;
  readonly #job: BackgroundJob;
  #deleted = 0;

  /** @param reportFailure is given the error of each run that fails; the next run continues */
  constructor(
    database: Database,
    clock: RemovalClock,
    reportFailure: (error: unknown) => void,
    { idleMs = sessionLimits.idleMs }: { idleMs?: number } = {},
  ) {
    this.#database = database;
    this.#idleMs = idleMs;
    this.#clock = clock;
    this.#job = new BackgroundJob(INTERVAL_MS, () => this.run(), reportFailure);
  }

  /** What it has done, for /metrics. */
  get measures(): Measure[] {
    return [
      {
        name: 'landfall_console_sessions_deleted_total',
        help: 'Sessions of the console that had ended and were deleted by this server',
        read: async () => this.#deleted,
      },
    ];
  }

  start(): void {
    this.#job.start();
  }

  /** Deletes all that have ended by now. */
  async run(): Promise<void> {
    const now = await this.#clock.cutoff(0);
    const idleSince = await this.#clock.cutoff(this.#idleMs);
    await this.#deleteAll(deleteEndedSessions(now, idleSince, BATCH_SIZE), (count) => {
      this.#deleted += count;
    });
    await this.#deleteAll(deleteEndedLogouts(now, BATCH_SIZE));
  }

  /** Ends it after the run that is in progress. */
  close(): Promise<void> {
    return this.#job.close();
  }

  async #deleteAll(
    statement: Statement,
    count: (deleted: number) => void = () => undefined,
  ): Promise<void> {
    for (let batches = 0; batches < MAX_BATCHES; batches++) {
      this.#clock.check();
      const { length } = await this.#database.query(statement);
      count(length);
      if (length < BATCH_SIZE) return;
    }
  }
}
