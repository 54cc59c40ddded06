// Presents what transports that have arrived reach: when they arrive, after what is lodged and replaced, and in the background.
import { ARRIVAL_PRESENTS_HOURS } from '@landfall/contract';
import { appendKeptRecord } from '../audit/audit-trail.js';
import { BackgroundJob } from '../background-job.js';
import { Batch } from '../database/batch.js';
import type { Database, Statement } from '../database/database.js';
import { selectDatabaseTime } from '../database/queries.js';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  FoundMeanwhileError,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { NotePresented } from './commit-presentations.js';
import {
  findReached,
  presentReached,
  type ReachedRow,
  type ReachedScope,
  type ReachingTransport,
  type RecordedMessage,
  selectArrivals,
  selectLodgedAfter,
  selectReaching,
} from './reached-queries.js';
import { waitAtMost } from './wait-at-most.js';

/** House consignments that one transaction presents at most. */
const MAX_HOUSES = 10_000;

/** Steps that run at once on a server, each in a session. */
const STEPS_AT_ONCE = 2;

/** How long a step may wait for organisations that others hold, and for other steps, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** How long a registration waits for what its goods cause after its commit, in milliseconds. */
const MAX_TOLD_WAIT_MS = 5000;

/** How often it is searched for what was left behind, and by how much searches overlap, in milliseconds. */
const INTERVAL_MS = 60_000;
const OVERLAP_MS = 60_000;

/** Transports that one search looks through, and messages above which it looks; the next one goes on. */
const MAX_ARRIVALS = 1000;
const MAX_LODGED = 100_000;

/** A search reads as many at once. */
const MAX_FOUND = 1000;

/** What was presented. */
export type Presented = {
  houses: number;
  signals: number;
  /** Resolves when what can be decided of it now is. */
  decided: Promise<void>;
};

/** What presenting needs. */
export type ReachedParts = {
  database: Database;
  watch: FeedWatch;
  /** Whether only expected parties may present. */
  expectedOnly: boolean;
  /** The time of a clock that may have been moved; without it, the database's. */
  movedClock: (() => Date) | undefined;
  notePresented: NotePresented;
  /** House consignments of one transaction, for a test. */
  maxHouses?: number;
  /** Transports that one search looks through, for a test. */
  maxArrivals?: number;
};

/** A run that has not begun: whoever asks for the same transport meanwhile shares it. */
type WaitingRun = {
  /** The house consignments above which it looks; without them, it looks through the transport. */
  houses: Set<number> | undefined;
  run: Promise<Presented>;
};

/** Presents what transports reach, and completes in the background what a server that has stopped left behind. */
export class ReachedGoods {
  readonly expectedOnly: boolean;
  readonly maxHouses: number;
  readonly #parts: ReachedParts;
  readonly #steps: Batch<ReachedScope, ReachedRow | null>;
  readonly #running = new Map<number, Promise<Presented>>();
  readonly #waiting = new Map<number, WaitingRun>();
  /** Transports of which something could not be presented; the next search tries again. */
  readonly #failed = new Set<number>();
  /** Up to where it was searched; `undefined` before the first search. */
  #arrivals: RecordedMessage | undefined;
  #lodged: RecordedMessage | undefined;
  /** Whether the last search has stopped at its bound. */
  #isBehind = false;
  readonly #job: BackgroundJob;
  readonly #report: (error: unknown) => void;
  #isClosed = false;

  constructor(parts: ReachedParts, report: (error: unknown) => void) {
    this.expectedOnly = parts.expectedOnly;
    this.maxHouses = parts.maxHouses ?? MAX_HOUSES;
    this.#parts = parts;
    this.#report = report;
    this.#job = new BackgroundJob(INTERVAL_MS, () => this.#search(), report);
    this.#steps = new Batch<ReachedScope, ReachedRow | null>(
      (steps) =>
        Promise.all(
          steps.map((step) =>
            tryOnFeeds(parts.database, (transaction) => this.#step(transaction, step), {
              lane: 'levels',
              attempts: step,
            }),
          ),
        ),
      {
        maxBatchSize: 1,
        maxInFlight: STEPS_AT_ONCE,
        maxWaitMs: MAX_WAIT_MS,
        ownerOf: ({ transport }) => transport,
        measured: { by: parts.database.batches, as: 'arrivals-reached' },
      },
    );
  }

  start(): void {
    this.#job.start();
    void this.#job.run();
  }

  /** Presents everything that was left behind now. */
  async catchUp(): Promise<void> {
    do await this.#job.run();
    while (this.#isBehind);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#job.close();
    const waiting = [...this.#waiting.values()].map(({ run }) => run);
    await Promise.allSettled([...this.#running.values(), ...waiting]);
  }

  /** The organisations that presenting affects: their feeds are to be locked. */
  async findAffected(
    transaction: FeedTransaction,
    scope: ReachedScope,
  ): Promise<readonly number[]> {
    const [found] = await transaction.query(findReached(scope, this.expectedOnly, this.maxHouses));
    return found?.organisations ?? [];
  }

  /**
   * Presents the first goods that a transport reaches, in a transaction that has locked the feeds of `locked`. What it has
   * appended is to be told to the watch, and what is undecided to be decided, after the commit.
   */
  async presentIn(
    transaction: FeedTransaction,
    scope: ReachedScope,
    locked: readonly number[],
    at: Date | undefined,
  ): Promise<ReachedRow> {
    const { expectedOnly, maxHouses } = this;
    const [row] = await transaction.query(
      presentReached(scope, locked, expectedOnly, maxHouses, at),
    );
    if (row === undefined) throw new Error('a commit of presentations returned no row');
    if (row.held !== null) {
      throw new ChangedMeanwhileError('another organisation is affected meanwhile');
    }
    if (row.houses > 0) await transaction.query(appendKeptRecord);
    return row;
  }

  /**
   * Presents everything that a transport which has arrived reaches now. Once more it changes nothing.
   *
   * @param houses looks only above these house consignments, which were just lodged or replaced
   */
  present(transport: number, houses?: Iterable<number>): Promise<Presented> {
    const waiting = this.#waiting.get(transport);
    if (waiting !== undefined) {
      if (houses === undefined) waiting.houses = undefined;
      else for (const house of houses) waiting.houses?.add(house);
      return waiting.run;
    }
    const before = this.#running.get(transport);
    const wanted = houses && new Set(houses);
    // Without somebody before it, it begins.
    if (before === undefined) return this.#begin(transport, wanted);
    const next: WaitingRun = {
      houses: wanted,
      run: before
        .catch(() => undefined)
        .then(() => {
          this.#waiting.delete(transport);
          return this.#begin(transport, next.houses);
        }),
    };
    this.#waiting.set(transport, next);
    return next.run;
  }

  /**
   * Presents messages that were just committed, if transports that have arrived lately reach them. Each transport presents
   * once: only above the house consignments, if it reaches no other message.
   *
   * @returns resolves, for each message that is reached, when it is presented or was left behind; it never fails
   */
  async presentReaching(
    messages: readonly number[],
  ): Promise<ReadonlyMap<number, Promise<unknown>>> {
    const rows = await this.#parts.database.query(this.#selectReaching(messages));
    const byTransport = groupBy(rows, ({ transport }) => transport);
    const presented = new Map(
      [...byTransport].map(([transport, reached]) => {
        const houses = reached.every(({ isHouse }) => isHouse)
          ? reached.map(({ message }) => message)
          : undefined;
        return [transport, this.#presentOrLeave(transport, houses)];
      }),
    );
    return new Map(
      [...groupBy(rows, ({ message }) => message)].map(([message, reaching]) => [
        message,
        Promise.all(reaching.map(({ transport }) => presented.get(transport))),
      ]),
    );
  }

  /**
   * Presents what is registered in an ENS, in the transaction that registers it, if transports that have arrived lately reach
   * the same goods as they were lodged.
   *
   * @param lodged the numbers of the messages of these goods
   * @returns is to be called after the commit: arrivals that were committed meanwhile present too, and what can be decided is.
   *   It waits for that for some seconds, and never fails
   * @throws FoundMeanwhileError if feeds have to be locked as well
   */
  async presentTold(
    transaction: FeedTransaction,
    lodged: readonly number[],
    at: Date,
  ): Promise<() => Promise<void>> {
    const undecided: string[] = [];
    const rows = await transaction.query(this.#selectReaching(lodged));
    for (const [transport, reached] of groupBy(rows, (row) => row.transport)) {
      const scope = { transport, houses: reached.map(({ message }) => message) };
      const organisations = await this.findAffected(transaction, scope);
      if (organisations.some((organisation) => !transaction.locked.has(organisation))) {
        throw new FoundMeanwhileError(new Map([[transport, { ids: [], organisations }]]));
      }
      const row = await this.presentIn(transaction, scope, [...transaction.locked], at);
      transaction.noteAppended(row.appended);
      undecided.push(...row.undecided);
    }
    return async () => {
      const deciding = undecided.length > 0 ? this.#parts.notePresented(undecided) : undefined;
      const presenting = this.presentReaching(lodged).then(
        (presented) => Promise.all(presented.values()),
        (error: unknown) => this.leave(error),
      );
      await waitAtMost(Promise.all([deciding, presenting]), MAX_TOLD_WAIT_MS);
    };
  }

  /** Reports why something was left behind, for the background to complete: of a transport, or of messages. */
  leave(error: unknown, transport?: number): void {
    if (transport !== undefined) this.#failed.add(transport);
    this.#report(error);
  }

  #selectReaching(messages: readonly number[]): Statement<ReachingTransport> {
    const { movedClock } = this.#parts;
    return selectReaching(messages, this.expectedOnly, ARRIVAL_PRESENTS_HOURS, movedClock?.());
  }

  async #presentOrLeave(transport: number, houses?: readonly number[]): Promise<void> {
    try {
      await this.present(transport, houses);
    } catch (error) {
      this.leave(error, transport);
    }
  }

  async #begin(transport: number, houses: ReadonlySet<number> | undefined): Promise<Presented> {
    const running = this.#presentAll({ transport, houses: houses && [...houses] });
    this.#running.set(transport, running);
    try {
      return await running;
    } finally {
      if (this.#running.get(transport) === running) this.#running.delete(transport);
    }
  }

  async #presentAll(scope: ReachedScope): Promise<Presented> {
    const presented = { houses: 0, signals: 0 };
    const decisions: Promise<void>[] = [];
    for (;;) {
      const row = await this.#steps.submit(scope);
      if (row === null) break;
      presented.houses += row.houses;
      presented.signals += row.signals;
      this.#parts.watch.wakeAppended(row.appended);
      if (row.undecided.length > 0) {
        decisions.push(Promise.resolve(this.#parts.notePresented(row.undecided)));
      }
      if (!row.hasMore) break;
    }
    return { ...presented, decided: Promise.all(decisions).then(() => undefined) };
  }

  /** One step, or nothing if nothing is left. */
  async #step(transaction: FeedTransaction, scope: ReachedScope): Promise<ReachedRow | null> {
    const affected = await this.findAffected(transaction, scope);
    if (affected.length === 0) return null;
    const locked = await transaction.lock(affected);
    return this.presentIn(transaction, scope, locked, this.#parts.movedClock?.());
  }

  /**
   * Presents what was left behind since the last search, by a server that has stopped or by a failure: of transports that
   * have arrived since, and of messages that were lodged or replaced since. The first search takes the transports that still
   * present.
   */
  async #search(): Promise<void> {
    const { database, movedClock, maxArrivals = MAX_ARRIVALS } = this.#parts;
    this.#isBehind = false;
    const now = movedClock?.() ?? (await database.query(selectDatabaseTime))[0]?.now;
    if (now === undefined) throw new Error('the time of the database was not returned');
    const failed = [...this.#failed];
    this.#failed.clear();
    await this.#presentEach(failed);

    const overlap = { at: new Date(now.getTime() - OVERLAP_MS), id: 0 };
    const presenting = { at: new Date(now.getTime() - ARRIVAL_PRESENTS_HOURS * 3_600_000), id: 0 };
    const arrivals = await this.#searchPages(
      earlier(this.#arrivals ?? presenting, overlap),
      { select: selectArrivals, max: maxArrivals },
      (transports) => this.#presentEach(transports),
    );
    this.#arrivals = arrivals ?? overlap;
    const [arrived] = await database.query(selectArrivals(presenting, 1));
    const lodged =
      arrived &&
      (await this.#searchPages(
        earlier(this.#lodged ?? overlap, overlap),
        { select: selectLodgedAfter, max: MAX_LODGED },
        async (messages) => {
          await Promise.all((await this.presentReaching([...new Set(messages)])).values());
        },
      ));
    this.#lodged = lodged ?? overlap;
    this.#isBehind = !this.#isClosed && (arrivals !== undefined || lodged !== undefined);
  }

  /** One after the other; one that fails does not keep the others from being presented. */
  async #presentEach(transports: readonly number[]): Promise<void> {
    for (const transport of transports) {
      if (this.#isClosed) return;
      await this.#presentOrLeave(transport);
    }
  }

  /** @returns where to go on if there may be more, because the bound was reached */
  async #searchPages(
    after: RecordedMessage,
    {
      select,
      max,
    }: {
      select(after: RecordedMessage, limit: number): Statement<RecordedMessage>;
      max: number;
    },
    present: (ids: readonly number[]) => Promise<void>,
  ): Promise<RecordedMessage | undefined> {
    let last = after;
    for (let examined = 0; examined < max && !this.#isClosed; ) {
      const limit = Math.min(MAX_FOUND, max - examined);
      const page = await this.#parts.database.query(select(last, limit));
      if (page.length > 0) await present(page.map(({ id }) => id));
      last = page.at(-1) ?? last;
      if (page.length < limit) return undefined;
      examined += page.length;
    }
    return last;
  }
}

const earlier = (one: RecordedMessage, other: RecordedMessage) => (one.at < other.at ? one : other);

function groupBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => number,
): ReadonlyMap<number, readonly Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
