// Writes the figures of this server once a minute in the background. Requests never wait for it.
import type { Database } from '../database/database.js';
import { type RemovalClock, RemovalPausedError } from '../database/removal-clock.js';
import type { FailedRequests } from '../metrics/failed-requests.js';
import type { CallerCounts } from '../metrics/request-counts.js';
import { FigureReader, type Figures, type Measured } from './figures.js';
import { FIGURES_KEPT_MS, insertFigures, selectBackups, selectReplicas } from './queries.js';

const MINUTE = 60_000;

/** Organisations of a row: so many with the highest numbers of requests, and so many of refused ones. */
const MAX_CALLERS = 20;

/** What identifies this server, and what it measures. */
export type RecordedServer = {
  /** Host name and port; known when the server listens. */
  name: () => string;
  version: string;
  startedAt: Date;
  measured: Measured;
  callers: CallerCounts;
  failedRequests: FailedRequests;
};

/** Writes figures at each full minute, and at the close. */
export class FigureRecorder {
  readonly #database: Database;
  readonly #server: RecordedServer;
  readonly #clock: RemovalClock;
  readonly #reportFailure: (error: unknown) => void;
  readonly #reader: FigureReader;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;

  /** @param reportFailure is called with the error of a write; the next row covers its time too */
  constructor(
    database: Database,
    server: RecordedServer,
    clock: RemovalClock,
    reportFailure: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#server = server;
    this.#clock = clock;
    this.#reportFailure = reportFailure;
    this.#reader = new FigureReader(server.measured, server.startedAt.getTime());
  }

  start(): void {
    // Timers may be early by a millisecond, which would be the minute before.
    const untilMinute = MINUTE - (Date.now() % MINUTE) + 20;
    this.#timer = setTimeout(() => {
      this.start();
      const at = Math.floor(Date.now() / MINUTE) * MINUTE;
      this.#writeInBackground(new Date(at), false);
    }, untilMinute).unref();
  }

  /** Writes what was measured until now. */
  async write(at: Date, isStopped = false): Promise<void> {
    const { name, version, startedAt, callers, failedRequests } = this.#server;
    const { figures, accept } = await this.#reader.read(at.getTime());
    const replicas = await this.#readReplicas();
    const backups = await this.#readBackups();
    const removeBefore = await this.#findCutoff();
    const counts = callers.take();
    const failed = failedRequests.list();
    try {
      await this.#database.query(
        insertFigures({
          at,
          server: name(),
          startedAt,
          version,
          isStopped,
          figures: { ...figures, ...replicas, ...backups, failedRequests: failed },
          callers: selectHighest(counts),
          removeBefore,
        }),
      );
      accept();
      failedRequests.remove(failed);
    } catch (error) {
      callers.putBack(counts);
      throw error;
    }
  }

  /** Writes the last row. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    this.#writeInBackground(new Date(), true);
    await this.#writing;
  }

  /** One at a time: while the database hangs, attempts do not pile up. */
  #writeInBackground(at: Date, isStopped: boolean): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#writing = this.write(at, isStopped)
      .catch(this.#reportFailure)
      .finally(() => {
        this.#isWriting = false;
      });
  }

  /** Figures are written also while nothing is removed. */
  async #findCutoff(): Promise<Date | undefined> {
    try {
      return await this.#clock.cutoff(FIGURES_KEPT_MS);
    } catch (error) {
      if (error instanceof RemovalPausedError) return undefined;
      throw error;
    }
  }

  async #readBackups(): Promise<Pick<Figures, 'archiveLag' | 'backupAge'>> {
    if (this.#database.kind === 'embedded') return {};
    const [row] = await this.#database.query(selectBackups);
    const { archiveLag = null, backupAge = null } = row ?? {};
    return { ...(archiveLag !== null && { archiveLag }), ...(backupAge !== null && { backupAge }) };
  }

  async #readReplicas(): Promise<Pick<Figures, 'replicas' | 'replicationLag'>> {
    if (this.#database.kind === 'embedded') return {};
    const rows = await this.#database.query(selectReplicas);
    const lags = rows.map(({ lagSeconds }) => lagSeconds).filter((lag) => lag !== null);
    return {
      replicas: rows.length,
      ...(lags.length > 0 && { replicationLag: Math.max(...lags) }),
    };
  }
}

/** The callers with the highest numbers of requests, and those with the highest numbers of refused ones. */
function selectHighest(counts: ReturnType<CallerCounts['take']>): typeof counts {
  const byRequests = counts.toSorted((one, other) => other.requests - one.requests);
  const byRefused = counts
    .filter(({ refused }) => refused > 0)
    .sort((one, other) => other.refused - one.refused);
  return [...new Set([...byRequests.slice(0, MAX_CALLERS), ...byRefused.slice(0, MAX_CALLERS)])];
}
