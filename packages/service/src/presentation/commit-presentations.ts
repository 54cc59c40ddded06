// Commits batches of presentations: one round trip and one transaction each.
import type { PresentationPath } from '@landfall/contract';
import { Postponed } from '../database/batch.js';
import type { Database, Lane, Statement } from '../database/database.js';
import { LOCK_TIMEOUT_MS, releasesOf } from '../feed/organisation-locks.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { beginRecord } from './begin-record.js';
import { commitHouseConsignments, lockHouseConsignments } from './house-queries.js';
import {
  commitLevel,
  type FoundLevel,
  findLevel,
  lockLevel,
  recordLevel,
  type UpperLevel,
} from './level-queries.js';
import type { PresentationsRow, RequestIssue } from './presentation-outcome.js';
import type { PresentationRequest } from './submission.js';

/** What the database says of one request: whether its requestId was used before, and the problem of its reference. */
export type Outcome = Pick<RequestIssue, 'reused' | 'problem'>;

const noIssue: Outcome = { reused: false, problem: null };

/** For how long batches only try locks after an organisation was held for too long, in milliseconds. */
const TRY_ONLY_MS = 1000;

/** Who may present which goods: anybody, or only those whom the declaration names. */
export type Presenters = 'any' | 'expected';

/** Commits batches; the outcomes are in the order of the requests. */
export class PresentationCommits {
  readonly #database: Database;
  readonly #watch: FeedWatch;
  readonly #expectedOnly: boolean;
  readonly #clock: () => Date;
  #tryOnlyUntil = 0;

  constructor(database: Database, watch: FeedWatch, presenters: Presenters, clock: () => Date) {
    this.#database = database;
    this.#watch = watch;
    this.#expectedOnly = presenters === 'expected';
    this.#clock = clock;
  }

  /**
   * House consignments, in the try-lock lane: a request that affects an organisation which another transaction holds
   * is postponed until that organisation is free, and delays no other request.
   */
  houseConsignments(requests: readonly PresentationRequest[]): Promise<(Outcome | Postponed)[]> {
    // Commits of other servers end soon. After a wait was in vain, the holder is slow, and waiting would delay all.
    const waitMs = performance.now() < this.#tryOnlyUntil ? 0 : LOCK_TIMEOUT_MS;
    return this.#commit(
      'house-consignment',
      requests,
      lockHouseConsignments(requests, this.#expectedOnly, waitMs),
      (record, now) => commitHouseConsignments(requests, this.#expectedOnly, record, now),
      'small',
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
    const [[row] = []] = await this.#database.commit([find], 'levels');
    // The cast is true because these are the columns that the statement selects.
    const found = row as FoundLevel;
    const { reused, problem, organisations } = found;
    if (reused || request.submission.requestId === undefined) return [{ reused, problem }];
    return this.#commit(
      path,
      [request],
      lockLevel([request.organisationId, ...organisations]),
      (record, now) =>
        organisations.length === 0
          ? recordLevel(path, request, found, record)
          : commitLevel(path, request, this.#expectedOnly, record, now),
      'levels',
    );
  }

  async #commit(
    path: PresentationPath,
    requests: readonly PresentationRequest[],
    lock: Statement,
    commit: (record: string, now: Date) => Statement,
    lane: Lane,
  ): Promise<(Outcome | Postponed)[]> {
    const now = this.#clock();
    const record = beginRecord(path, requests, now);
    const [, [row] = []] = await this.#database.commit([lock, commit(record, now)], lane);
    // The cast is true because these are the columns that the statements select.
    const { issues, appended } = row as PresentationsRow;
    this.#watch.wakeAppended(appended);
    const outcomes: (Outcome | Postponed)[] = requests.map(() => noIssue);
    for (const issue of issues ?? []) {
      outcomes[issue.index] = issue.held === null ? issue : this.#postpone(issue.held);
    }
    return outcomes;
  }

  #postpone(held: number): Postponed {
    this.#tryOnlyUntil = performance.now() + TRY_ONLY_MS;
    return new Postponed(releasesOf(this.#database).wait(held));
  }
}
