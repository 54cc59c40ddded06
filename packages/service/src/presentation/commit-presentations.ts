// Commits batches of presentations: one round trip and one transaction each.
import type { PresentationPath } from '@landfall/contract';
import { LRUCache } from 'lru-cache';
import { appendKeptRecord } from '../audit/audit-trail.js';
import { atMost } from '../bounded-cache.js';
import { Postponed } from '../database/batch.js';
import type { Database, Lane, Statement } from '../database/database.js';
import { lockFeeds } from '../feed/lock-queries.js';
import { LOCK_TIMEOUT_MS, releasesOf, TURN_TIMEOUT_MS } from '../feed/organisation-locks.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { beginRecord } from './begin-record.js';
import { commitHouseConsignments, lockHouseConsignments } from './house-queries.js';
import {
  commitLevel,
  findLevel,
  lockLevel,
  recordLevel,
  type UpperLevel,
} from './level-queries.js';
import type { PresentationsRow, RequestIssue } from './presentation-outcome.js';
import type { PresentationRequest } from './submission.js';

/** What the database says of one request: whether its requestId was used before, and the problem of its reference. */
export type Outcome = Pick<RequestIssue, 'reused' | 'problem'>;

/** Nothing was done: an organisation that the request affects is held all the time, so it has to take a turn. */
export const contended = Symbol('contended');

const noIssue: Outcome = { reused: false, problem: null };

/** After how long those who wait for an organisation that was not seen free take a turn, in milliseconds. */
const TURN_AFTER_MS = 200;

/** For how long an organisation counts as contended after somebody has waited for it in vain, in milliseconds. */
const CONTENDED_MS = 1000;

/** Of how many organisations that is remembered. */
const MAX_CONTENDED = 10_000;

/** For how long batches only try locks after an organisation was held for too long, in milliseconds. */
const TRY_ONLY_MS = 1000;

/** Who may present which goods: anybody, or only those whom the declaration names. */
export type Presenters = 'any' | 'expected';

/** Is called with lodged goods that were presented, and that nobody has decided; may resolve when they are. */
export type NotePresented = (houses: readonly string[]) => Promise<void> | void;

/** Commits batches; the outcomes are in the order of the requests. */
export class PresentationCommits {
  readonly #database: Database;
  readonly #watch: FeedWatch;
  readonly #expectedOnly: boolean;
  readonly #clock: (() => Date) | undefined;
  readonly #notePresented: NotePresented;
  /** The organisation for which a request has waited. */
  readonly #held = new WeakMap<PresentationRequest, number>();
  /** Until when others take a turn at once for an organisation. */
  readonly #contendedUntil = new LRUCache<number, number>({ ...atMost(MAX_CONTENDED) });
  #tryOnlyUntil = 0;

  constructor(
    database: Database,
    watch: FeedWatch,
    presenters: Presenters,
    clock: (() => Date) | undefined,
    notePresented: NotePresented,
  ) {
    this.#database = database;
    this.#watch = watch;
    this.#expectedOnly = presenters === 'expected';
    this.#clock = clock;
    this.#notePresented = notePresented;
  }

  /**
   * House consignments, in the try-lock lane: a request that affects an organisation which another transaction holds
   * is postponed until that organisation is free, and delays no other request. If one that has waited finds it held
   * again, it is `contended`, and so are others for a while.
   */
  async houseConsignments(
    requests: readonly PresentationRequest[],
  ): Promise<(Outcome | Postponed | typeof contended)[]> {
    const waited = requests.map((request) => this.#held.has(request));
    const now = performance.now();
    // Commits of other servers end soon. After a wait was in vain, the holder is slow, and waiting would delay all.
    const waitMs = now < this.#tryOnlyUntil ? 0 : LOCK_TIMEOUT_MS;
    const outcomes = await this.#commitHouses(requests, waitMs, 'small');
    return outcomes.map((outcome, index) => {
      const request = requests[index];
      if (!(outcome instanceof Postponed) || request === undefined) return outcome;
      const held = this.#held.get(request) ?? 0;
      if (waited[index] === true) this.#contendedUntil.set(held, now + CONTENDED_MS);
      return now < (this.#contendedUntil.get(held) ?? 0) ? contended : outcome;
    });
  }

  /** House consignments that were `contended`: the first of them takes its turn, in a session that may wait. */
  inTurn(requests: readonly PresentationRequest[]): Promise<(Outcome | Postponed)[]> {
    return this.#commitHouses(requests, LOCK_TIMEOUT_MS, 'levels');
  }

  #commitHouses(
    requests: readonly PresentationRequest[],
    waitMs: number,
    lane: Lane,
  ): Promise<(Outcome | Postponed)[]> {
    return this.#commit(
      'house-consignment',
      requests,
      lockHouseConsignments(requests, this.#expectedOnly, waitMs),
      (record, given) => commitHouseConsignments(requests, this.#expectedOnly, record, given),
      lane,
    );
  }

  /**
   * One request at a level that may reach very many house consignments, in a session that it may keep for long. It is
   * first found without a lock what the request adds, so that one that adds nothing locks no feed of others.
   */
  async upperLevel(
    path: UpperLevel,
    request: PresentationRequest,
  ): Promise<(Outcome | Postponed)[]> {
    const find = findLevel(path, request, this.#expectedOnly);
    const [[found]] = await this.#database.commit([find], 'levels');
    if (found === undefined) throw new Error('what a presentation adds was not returned');
    const { reused, problem, organisations } = found;
    if (reused || request.submission.requestId === undefined) return [{ reused, problem }];
    return this.#commit(
      path,
      [request],
      lockLevel([request.organisationId, ...organisations], request),
      (record, given) =>
        problem !== null || (found.repeated && organisations.length === 0)
          ? recordLevel(path, request, found, this.#expectedOnly, record, given)
          : commitLevel(path, request, this.#expectedOnly, record, given),
      'levels',
    );
  }

  async #commit(
    path: PresentationPath,
    requests: readonly PresentationRequest[],
    lock: Statement,
    commit: (record: string, given: Date | undefined) => Statement<PresentationsRow>,
    lane: Lane,
  ): Promise<(Outcome | Postponed)[]> {
    const [first] = requests;
    const held = first === undefined || lane === 'small' ? undefined : this.#held.get(first);
    const write = commit(beginRecord(path, requests), this.#clock?.());
    const [row] =
      held === undefined
        ? (await this.#database.commit([lock, write, appendKeptRecord], lane))[1]
        : (
            await this.#database.commit(
              [lockFeeds([held], TURN_TIMEOUT_MS), lock, write, appendKeptRecord],
              lane,
            )
          )[2];
    if (row === undefined) throw new Error('a commit of presentations returned no row');
    const { issues, appended, undecided } = row;
    this.#watch.wakeAppended(appended);
    if (undecided.length > 0) void this.#notePresented(undecided);
    const outcomes: (Outcome | Postponed)[] = requests.map(() => noIssue);
    for (const issue of issues ?? []) {
      outcomes[issue.index] =
        issue.held === null ? issue : this.#postpone(issue.held, requests[issue.index]);
    }
    return outcomes;
  }

  #postpone(held: number, request: PresentationRequest | undefined): Postponed {
    if (request !== undefined) this.#held.set(request, held);
    this.#tryOnlyUntil = performance.now() + TRY_ONLY_MS;
    // Above the house level, a turn keeps one of a few sessions.
    const maxWaitMs = request?.submission.path === 'house-consignment' ? TURN_AFTER_MS : undefined;
    return new Postponed(releasesOf(this.#database).wait(held, maxWaitMs));
  }
}
