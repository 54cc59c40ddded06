// Retention in the background: removes what is older than it is kept, in small steps, on one server at a time.
import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundJob } from '../background-job.js';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import type { RemovalClock } from '../database/removal-clock.js';
import type { Measure } from '../metrics/measure.js';

/** How often each server begins a run, in milliseconds. */
const INTERVAL_MS = 600_000;

/** The pause between two steps, in which others can commit, in milliseconds. */
const PAUSE_MS = 20;

const DAY_MS = 24 * 3600 * 1000;

/** A kind of data that is kept for a time. */
export type RetainedKind = {
  /** Names it in metrics and in the log. */
  name: string;
  /** How long it is kept, in days; 0: for ever. */
  days: number;
  /** Removes what is older than a time, each step in a transaction of its own; yields how many each has removed. */
  expire(before: Date): AsyncIterable<number>;
};

/** Removes what has expired, every ten minutes. What a run leaves, the next one finds. */
export class Retention {
  readonly #database: Database;
  readonly #kinds: readonly RetainedKind[];
  readonly #clock: RemovalClock;
  readonly #reportFailure: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #removed = new Map<string, number>();
  readonly #job: BackgroundJob;
  #completedAt: number | undefined;

  /** @param reportFailure takes the error of a kind; the next run continues */
  constructor(
    database: Database,
    kinds: readonly RetainedKind[],
    clock: RemovalClock,
    reportFailure: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#kinds = kinds.filter(({ days }) => days > 0);
    this.#clock = clock;
    this.#reportFailure = reportFailure;
    this.#job = new BackgroundJob(INTERVAL_MS, () => this.#expireAll(), reportFailure);
    for (const { name } of this.#kinds) this.#removed.set(name, 0);
  }

  /** What this server has done, for /metrics. */
  get measures(): Measure[] {
    return [
      {
        name: 'landfall_retention_removed_total',
        help: 'What this server removed because it was older than it is kept, by kind',
        read: async () => [...this.#removed].map(([kind, value]) => ({ labels: { kind }, value })),
      },
      {
        name: 'landfall_retention_completed_timestamp_seconds',
        help: 'When this server last completed a run of retention; one server at a time makes runs',
        read: async () => this.#completedAt && this.#completedAt / 1000,
      },
    ];
  }

  /** Begins a run now, and then every ten minutes. */
  start(): void {
    if (this.#kinds.length === 0) return;
    void this.run();
    this.#job.start();
  }

  /** Removes what has expired by now, after the run that is in progress; reports failures. */
  run(): Promise<void> {
    return this.#job.run();
  }

  /** Resolves when no step is in progress, and none follows. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#job.close();
  }

  async #expireAll(): Promise<void> {
    if (this.#kinds.length === 0 || this.#closing.signal.aborted) return;
    const lost = new AbortController();
    const release = await this.#database.tryLock(SESSION_LOCKS.retention, () => lost.abort());
    if (release === undefined) return;
    const signal = AbortSignal.any([this.#closing.signal, lost.signal]);
    let isComplete = true;
    try {
      for (const kind of this.#kinds) {
        try {
          await this.#expire(kind, signal);
        } catch (error) {
          isComplete = false;
          this.#reportFailure(error);
        }
      }
    } finally {
      await release();
    }
    if (isComplete && !signal.aborted) this.#completedAt = Date.now();
  }

  async #expire({ name, days, expire }: RetainedKind, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const before = await this.#clock.cutoff(days * DAY_MS);
    for await (const removed of expire(before)) {
      this.#removed.set(name, (this.#removed.get(name) ?? 0) + removed);
      // It ends early when the signal aborts.
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#clock.check();
    }
  }
}
