// Reads that a standby takes instead of the primary. No response shows that there are standbys: a read that they cannot
// take as the primary would goes to the primary (decision 0121).
import { setTimeout as delay } from 'node:timers/promises';
import type { Measure } from '../metrics/measure.js';
import { messageOf } from '../native-error.js';
import type { Database, Queryable, StandbyReads, Statement } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import { insertHistory, selectPrimary } from './standby-queries.js';
import { NotAStandbyError, type StandbyServer, UnusableStandbyError } from './standby-server.js';

/** How often the standbys are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 1000;

/** A standby that is further behind is not used, in seconds: it would have little of what is read, and reads would be done twice. */
const MAX_LAG_SECONDS = 5;

/** How long a read waits until a standby has everything that the primary had at its beginning, in milliseconds. */
const CATCH_UP_MS = 100;

/** How often the position of the standby is read meanwhile, in milliseconds. */
const CATCH_UP_INTERVAL_MS = 5;

/** Where the primary was at a time: by `performance.now()`. */
type Sample = { at: number; flushed: number };

/** The standbys of a database, checked in the background until they are closed. */
export class Standbys implements StandbyReads {
  readonly #servers: readonly StandbyServer[];
  readonly #primary: Pick<Database, 'query' | 'lookUps'>;
  readonly #timer: NodeJS.Timeout;
  #checking: Promise<void> | undefined;
  /** Positions of the primary, oldest first, as far back as a standby may be behind. */
  #samples: Sample[] = [];
  #history: string | undefined;
  #onPrimary = 0;
  #reportFailure: (error: unknown) => void = () => undefined;

  constructor(servers: readonly StandbyServer[], primary: Pick<Database, 'query' | 'lookUps'>) {
    this.#servers = servers;
    this.#primary = primary;
    this.#timer = setInterval(() => this.#startCheck(), CHECK_INTERVAL_MS).unref();
    this.#startCheck();
  }

  get isUsable(): boolean {
    return this.#servers.some(({ isUsable }) => isUsable);
  }

  async query<Result extends object>(
    history: string | null,
    statement: Statement<Result>,
  ): Promise<Result[] | undefined> {
    return this.#use(history, (server) => server.read(statement));
  }

  async queryLatest<Result extends object>(
    statement: Statement<Result>,
  ): Promise<Result[] | undefined> {
    if (!this.isUsable) return this.#missed();
    const [primary] = await this.#primary.lookUps.query(selectPrimary);
    if (primary === undefined) return this.#missed();
    return this.#use(primary.history, async (server) =>
      (await reaches(server, primary.flushed)) ? server.read(statement) : undefined,
    );
  }

  onFailure(report: (error: unknown) => void): void {
    this.#reportFailure = report;
  }

  countBehind(): void {
    this.#onPrimary++;
  }

  get measures(): readonly Measure[] {
    const each = (read: (server: StandbyServer) => number | undefined) => async () =>
      this.#servers.flatMap((server) => {
        const value = read(server);
        return value === undefined ? [] : [{ labels: { standby: server.name }, value }];
      });
    return [
      {
        name: 'landfall_standby_usable',
        help: 'Whether reads go to the standby',
        read: each(({ isUsable }) => Number(isUsable)),
      },
      {
        name: 'landfall_standby_lag_seconds',
        help: 'How long ago the primary had what the standby has now',
        read: each(({ lag }) => lag),
      },
      {
        name: 'landfall_standby_reads_total',
        help: 'Reads that the standby took instead of the primary',
        read: each(({ reads }) => reads),
      },
      {
        name: 'landfall_standby_missed_reads_total',
        help: 'Reads that went to the primary because no standby could take them',
        read: async () => this.#onPrimary,
      },
    ];
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // It would open a session again.
    await this.#checking;
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  async #use<Result>(
    history: string | null,
    read: (server: StandbyServer) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const server = this.#choose(history);
    if (server === undefined) return this.#missed();
    try {
      const result = await read(server);
      if (result === undefined) return this.#missed();
      server.reads++;
      return result;
    } catch (error) {
      // Whatever it is, the primary is read: also if replication needed what the statement was reading.
      if (error instanceof DatabaseUnavailableError || error instanceof UnusableStandbyError) {
        // Others do not try the standby before the next check.
        server.lose();
        this.#report(server, error);
      }
      return this.#missed();
    }
  }

  /** The one with the fewest reads under way. */
  #choose(history: string | null): StandbyServer | undefined {
    if (history === null) return undefined;
    return this.#servers
      .filter((server) => server.follows(history))
      .reduce<StandbyServer | undefined>(
        (min, one) => (min === undefined || one.reading < min.reading ? one : min),
        undefined,
      );
  }

  #missed(): undefined {
    this.#onPrimary++;
    return undefined;
  }

  /** One at a time: while a standby does not respond, checks do not pile up. */
  #startCheck(): void {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
  }

  async #checkAll(): Promise<void> {
    const primary = await this.#readPrimary();
    if (primary === undefined) return;
    const now = performance.now();
    const failures = await Promise.all(
      this.#servers.map(async (server) => {
        try {
          await this.#check(server, primary.history, now);
          return [];
        } catch (error) {
          return [{ server, error }];
        }
      }),
    );
    for (const { server, error } of failures.flat()) {
      // The setting may list all servers: then one of them is the primary.
      if (!(error instanceof NotAStandbyError && this.isUsable)) this.#report(server, error);
    }
  }

  async #check(server: StandbyServer, history: string, now: number): Promise<void> {
    server.lag = undefined;
    await server.check(history);
    server.lag = this.#lagOf(server.replayed, now);
    if (server.lag <= MAX_LAG_SECONDS) return;
    server.lose();
    throw new UnusableStandbyError(`it is ${Math.floor(server.lag)} s behind the primary`);
  }

  /** The state of the primary; `undefined` while there is none, which its own sessions report. */
  async #readPrimary(): Promise<{ history: string } | undefined> {
    try {
      let [row] = await this.#primary.lookUps.query(selectPrimary);
      if (row?.history === null) {
        await this.#primary.query(insertHistory);
        [row] = await this.#primary.lookUps.query(selectPrimary);
      }
      if (row === undefined || row.history === null) return undefined;
      // Positions of different histories cannot be compared.
      if (row.history !== this.#history) this.#samples = [];
      this.#history = row.history;
      const at = performance.now();
      const oldest = at - 60_000;
      this.#samples = this.#samples.filter((sample) => sample.at >= oldest);
      this.#samples.push({ at, flushed: row.flushed });
      return { history: row.history };
    } catch {
      return undefined;
    }
  }

  /** How long ago the primary had more than this for the first time, in seconds; a minute at most. */
  #lagOf(replayed: number, now: number): number {
    const first = this.#samples.find(({ flushed }) => flushed > replayed);
    return first === undefined ? 0 : (now - first.at) / 1000;
  }

  #report({ name }: StandbyServer, error: unknown): void {
    this.#reportFailure(new Error(`${name}: ${messageOf(error)}`, { cause: error }));
  }
}

/** Reads that see everything that was acknowledged before: from a standby where there is one, else from the primary. */
export function readLatest(database: Database): Queryable {
  const { standbys } = database;
  if (standbys === undefined) return database;
  return {
    query: async (statement) =>
      (await standbys.queryLatest(statement)) ?? database.query(statement),
  };
}

/** Whether a standby has replayed the WAL up to a position, or does so soon. */
async function reaches(server: StandbyServer, flushed: number): Promise<boolean> {
  const end = performance.now() + CATCH_UP_MS;
  while ((await server.readReplayed()) < flushed) {
    if (performance.now() > end) return false;
    await delay(CATCH_UP_INTERVAL_MS);
  }
  return true;
}
