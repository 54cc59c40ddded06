// Retention in the background: removes what is older than it is kept, in small steps, on one server at a time.
import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundJob } from '../background-job.js';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import { type RemovalClock, RemovalPausedError } from '../database/removal-clock.js';
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
  /**
   * Removes what is older than a time, each step in a transaction of its own; yields how many each has removed.
   *
   * @param reportWaiting is called with a number of feeds of which the relay does not have what would have been removed
   */
  expire(before: Date, reportWaiting: (feeds: number) => void): AsyncIterable<number>;
};

/** Removes what has expired, every ten minutes. What a run leaves, the next one finds. */
export class Retention {
  readonly #database: Database;
  readonly #kinds: readonly RetainedKind[];
  readonly #clock: RemovalClock;
  readonly #reportFailure: (error: unknown) => void;
  readonly #warn: (context: object, message: string) => void;
  readonly #closing = new AbortController();
  readonly #removed = new Map<string, number>();
  /** Of how many feeds of each kind the last run left what is not relayed yet. */
  readonly #waiting = new Map<string, number>();
  readonly #job: BackgroundJob;
  #completedAt: number | undefined;

  /**
   * @param reportFailure takes the error of a kind; the next run continues
   * @param warn writes a line of the log
   */
  constructor(
    database: Database,
    kinds: readonly RetainedKind[],
    clock: RemovalClock,
    reportFailure: (error: unknown) => void,
    warn: (context: object, message: string) => void = () => undefined,
  ) {
    this.#database = database;
    this.#kinds = kinds.filter(({ days }) => days > 0);
    this.#clock = clock;
    this.#reportFailure = reportFailure;
    this.#warn = warn;
    this.#job = new BackgroundJob(INTERVAL_MS, () => this.#expireAll(), reportFailure);
    for (const { name } of this.#kinds) this.#removed.set(name, 0);
  }

  /** What this server has done, for /metrics. */
  get measures(): Measure[] {
    return [
      {
        name: 'landfall_retention_removed_total',
        help: 'What this server removed, expired or closed because it was older than it is kept, by kind',
        read: async () => [...this.#removed].map(([kind, value]) => ({ labels: { kind }, value })),
      },
      {
        name: 'landfall_retention_completed_timestamp_seconds',
        help: 'When this server last completed a run of retention; one server at a time makes runs',
        read: async () => this.#completedAt && this.#completedAt / 1000,
      },
      {
        name: 'landfall_retention_waiting_for_relay',
        help: 'Feeds of which the last run on this server kept entries only because NATS does not have them yet, by kind',
        read: async () => [...this.#waiting].map(([kind, value]) => ({ labels: { kind }, value })),
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
    if (release === undefined) {
      // The server that has the lock knows.
      this.#waiting.clear();
      return;
    }
    const signal = AbortSignal.any([this.#closing.signal, lost.signal]);
    let isComplete = true;
    try {
      for (const kind of this.#kinds) {
        try {
          await this.#expire(kind, signal);
        } catch (error) {
          isComplete = false;
          this.#reportFailure(error);
          // It is the same for the other kinds.
          if (error instanceof RemovalPausedError) break;
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
    let waiting = 0;
    const removals = expire(before, (feeds) => {
      waiting += feeds;
    });
    for await (const removed of removals) {
      this.#removed.set(name, (this.#removed.get(name) ?? 0) + removed);
      // It ends early when the signal aborts.
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#clock.check();
    }
    this.#noteWaiting(name, waiting);
  }

  #noteWaiting(kind: string, feeds: number): void {
    this.#waiting.set(kind, feeds);
    if (feeds === 0) return;
    this.#warn(
      { kind, feeds },
      'what is older than it is kept stays until it is relayed to NATS: repair the relay, or set LANDFALL_RETENTION_WAITS_FOR_RELAY=off',
    );
  }
}
