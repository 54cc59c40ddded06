// Commits batches of presentations: one round trip and one transaction each, and what this server learns from them.
import type { PresentationPath } from '@landfall/contract';
import { LRUCache } from 'lru-cache';
import type { Database, Lane, Statement } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { routingSignals } from '../routing/signal-feed.js';
import { beginRecord } from './begin-record.js';
import { commitHouseConsignments } from './house-queries.js';
import { KnownParties } from './known-parties.js';
import { commitLevel, type UpperLevel } from './level-queries.js';
import { lockFeedsOf, lockFeedsReached } from './lock-queries.js';
import type { Exception, KnownEnds, PresentationsRow } from './queries.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

/** What one request came to in the database. */
export type Recorded = Pick<Exception, 'busy' | 'reused' | 'problem'>;

const simplyRecorded: Recorded = { busy: false, reused: false, problem: null };

/** Organisations whose feeds' ends are remembered: those that presented last. */
const MOST_KNOWN_ENDS = 100_000;

const nothingKnown: KnownEnds = { status: 0, signal: 0 };

type Ends = PresentationsRow['status_ends'];

/** Commits batches; what each request came to is in their order. */
export class PresentationCommits {
  readonly #database: Database;
  readonly #watch: FeedWatch;
  readonly #ends = new LRUCache<number, KnownEnds>({ max: MOST_KNOWN_ENDS });
  readonly #parties = new KnownParties();

  constructor(database: Database, watch: FeedWatch) {
    this.#database = database;
    this.#watch = watch;
  }

  /**
   * House consignments, of which none makes the others wait: a request is busy, and nothing is done for it, where a
   * large presentation is under way, or where the goods have a declarant or a representative that this server has not
   * yet met with this presenter.
   */
  passingBy(requests: readonly PresentationRequest[]): Promise<Recorded[]> {
    const presenters = requests.map(({ organisationId }) => organisationId);
    const lock = lockFeedsOf(this.#parties.concernedBy(presenters));
    return this.#commitHouseConsignments(requests, lock, 'small');
  }

  /**
   * House consignments that were busy: waits for whatever is under way. One is busy again where its declaration
   * changed meanwhile.
   */
  waiting(requests: readonly PresentationRequest[]): Promise<Recorded[]> {
    const lock = lockFeedsReached('house-consignment', requests);
    return this.#commitHouseConsignments(requests, lock, 'large');
  }

  /**
   * One request at a level that may reach very many house consignments: waits, and is busy where a declaration changed
   * meanwhile.
   */
  upperLevel(path: UpperLevel, request: PresentationRequest): Promise<Recorded[]> {
    const ends = this.#knownEnds(request);
    return this.#commit(
      path,
      [request],
      lockFeedsReached(path, [request]),
      (record, now) => commitLevel(path, request, ends, record, now),
      'large',
    );
  }

  #commitHouseConsignments(
    requests: readonly PresentationRequest[],
    lock: Statement,
    lane: Lane,
  ): Promise<Recorded[]> {
    const ends = requests.map((request) => this.#knownEnds(request));
    return this.#commit(
      'house-consignment',
      requests,
      lock,
      (record, now) => commitHouseConsignments(requests, ends, record, now),
      lane,
    );
  }

  async #commit(
    path: PresentationPath,
    requests: readonly PresentationRequest[],
    lock: Statement,
    commit: (record: string, now: Date) => Statement,
    lane: Lane,
  ): Promise<Recorded[]> {
    const now = new Date();
    const record = beginRecord(path, requests, now);
    const [, [row] = []] = await this.#database.commit([lock, commit(record, now)], lane);
    // The cast is true because these are the columns that the statements select.
    const { exceptions, status_ends, signal_ends } = row as PresentationsRow;
    this.#learnEnds(status_ends, signal_ends);
    this.#watch.wake(validationStatuses, organisationsOf(status_ends));
    this.#watch.wake(routingSignals, organisationsOf(signal_ends));
    const recorded = requests.map(() => simplyRecorded);
    for (const exception of exceptions ?? []) {
      recorded[exception.place] = exception;
      this.#learnParties(requests[exception.place], exception);
    }
    return recorded;
  }

  #knownEnds({ organisationId }: PresentationRequest): KnownEnds {
    return this.#ends.get(organisationId) ?? nothingKnown;
  }

  /** Remembers where feeds end, so that the next batch need not look far. */
  #learnEnds(statusEnds: Ends, signalEnds: Ends): void {
    for (const organisationId of organisationsOf(statusEnds)) {
      this.#ends.set(organisationId, {
        status: statusEnds?.[organisationId] ?? 0,
        signal: signalEnds?.[organisationId] ?? this.#ends.get(organisationId)?.signal ?? 0,
      });
    }
  }

  /** Remembers whom a presenter was met with, so that the next batch locks their feeds too. */
  #learnParties(request: PresentationRequest | undefined, { busy, parties }: Exception): void {
    if (busy && request !== undefined) this.#parties.learn(request.organisationId, parties ?? []);
  }
}

function organisationsOf(ends: Ends): number[] {
  return ends === null ? [] : Object.keys(ends).map(Number);
}
