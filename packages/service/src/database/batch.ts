// Group commit: requests that arrive while a commit is in flight share the next one. Owners take turns.
import { KeyCounts } from '../key-counts.js';
import type { BatchMeasurements, BatchMetrics } from '../metrics/batch-metrics.js';
import { failsEveryRequest, OverloadedError } from './errors.js';
import { FairQueue, type Queued } from './fair-queue.js';

/** Commits many requests at once, all or nothing; gives their outcomes in their order. */
export type CommitTogether<Request, Outcome> = (
  requests: readonly Request[],
) => Promise<readonly (Outcome | Postponed)[]>;

/** Returned instead of an outcome: nothing was done, and the request is committed again once `until` resolves. */
export class Postponed {
  readonly until: Promise<void>;
  constructor(until: Promise<void>) {
    this.until = until;
    // It may fail before somebody awaits it, or be dropped: unhandled, that would end the process.
    until.catch(() => undefined);
  }
}

/** How a batch is formed. */
export type BatchOptions<Request> = {
  maxBatchSize?: number;
  /** Requests that may wait, of all owners together; one more is refused with OverloadedError. */
  maxQueued?: number;
  /** The same for one owner. */
  maxQueuedPerOwner?: number;
  /** How long a request may wait for its commit before it is refused with OverloadedError. */
  maxWaitMs?: number;
  /** Commits in flight at once. More than one needs a database session that runs them in order, or one for each. */
  maxInFlight?: number;
  /** Whether an owner has one commit in flight at most, so that the others are left to other owners. */
  oneInFlightPerOwner?: boolean;
  /** Requests that have a key in common never share a commit: the later one sees the result of the earlier. */
  keys?: (request: Request) => readonly (string | undefined)[];
  /** Whose request it is. Owners take turns within a batch, each with its requests in their order. */
  ownerOf?: (request: Request) => unknown;
  /** Where the batch is measured, and the label under which. */
  measured?: { by: BatchMetrics; as: string } | undefined;
};

type Waiting<Request, Outcome> = Queued & {
  request: Request;
  submittedAt: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

/** Collects requests into commits. */
export class Batch<Request, Outcome> {
  readonly #commit: CommitTogether<Request, Outcome>;
  readonly #options: Required<BatchOptions<Request>>;
  readonly #queue: FairQueue<Waiting<Request, Outcome>>;
  /** Requests that wait for a commit, queued or postponed, in the order in which they were submitted. */
  readonly #waiting = new Set<Waiting<Request, Outcome>>();
  readonly #waitingOf = new KeyCounts<unknown>();
  readonly #ownersInFlight = new Set<unknown>();
  /** The size of each commit in flight. */
  readonly #inFlight: number[] = [];
  readonly #measurements: BatchMeasurements | undefined;
  #gathering = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    commit: CommitTogether<Request, Outcome>,
    {
      maxBatchSize = 256,
      maxQueued = 10_000,
      maxQueuedPerOwner = maxQueued,
      maxWaitMs = 15_000,
      maxInFlight = 1,
      oneInFlightPerOwner = false,
      keys = () => [],
      ownerOf = () => undefined,
      measured,
    }: BatchOptions<Request> = {},
  ) {
    this.#commit = commit;
    this.#options = {
      maxBatchSize,
      maxQueued,
      maxQueuedPerOwner,
      maxWaitMs,
      maxInFlight,
      oneInFlightPerOwner,
      keys,
      ownerOf,
      measured,
    };
    this.#measurements = measured?.by.add(
      measured.as,
      () => this.#waiting.size,
      () => this.#waiting.size - this.#queue.size,
    );
    this.#queue = new FairQueue((owner) => !this.#ownersInFlight.has(owner));
  }

  /**
   * Puts a request into the next commit; resolves after that commit.
   *
   * @throws OverloadedError when too many requests wait, or this one has waited too long
   * @throws DatabaseUnavailableError when the commit failed, or its outcome is unknown
   */
  submit(request: Request): Promise<Outcome> {
    const { maxQueued, maxQueuedPerOwner, maxBatchSize, keys, ownerOf } = this.#options;
    const owner = ownerOf(request);
    const waitingOfOwner = this.#waitingOf.of(owner);
    if (this.#waiting.size >= maxQueued) {
      return Promise.reject(new OverloadedError('too many requests are waiting to be committed'));
    }
    if (waitingOfOwner >= maxQueuedPerOwner) {
      const message = 'too many requests of this organisation are waiting to be committed';
      return Promise.reject(new OverloadedError(message));
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Request, Outcome> = {
        request,
        owner,
        keys: keys(request).filter((key) => key !== undefined),
        submittedAt: performance.now(),
        resolve,
        reject,
      };
      this.#waiting.add(waiting);
      this.#waitingOf.add(owner);
      this.#queue.push(waiting);
      this.#expireLater();
      // Without batching, commit at once; otherwise first gather the requests of this turn of the event loop.
      if (maxBatchSize === 1) this.#next();
      else this.#gather();
    });
  }

  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    setImmediate(() => {
      this.#gathering = false;
      this.#next();
    });
  }

  /** Starts as many commits as the queue and `maxInFlight` permit. */
  #next(): void {
    const { maxBatchSize, maxInFlight } = this.#options;
    while (this.#queue.size > 0 && this.#inFlight.length < maxInFlight) {
      // A concurrent commit pays off only if it is as large as the previous one: small ones cost more per request.
      const last = this.#inFlight.at(-1);
      if (last !== undefined && this.#queue.size < Math.min(last, maxBatchSize)) return;
      const taken = this.#queue.take(maxBatchSize);
      if (taken.length === 0) return;
      this.#start(taken);
    }
  }

  #start(taken: readonly Waiting<Request, Outcome>[]): void {
    this.#measure(taken);
    for (const waiting of taken) this.#leave(waiting);
    const owners = this.#options.oneInFlightPerOwner ? taken.map(({ owner }) => owner) : [];
    for (const owner of owners) this.#ownersInFlight.add(owner);
    this.#inFlight.push(taken.length);
    void this.#settle(taken, () => {
      this.#inFlight.splice(this.#inFlight.indexOf(taken.length), 1);
      for (const owner of owners) this.#ownersInFlight.delete(owner);
      this.#next();
    });
  }

  #measure(taken: readonly Waiting<Request, Outcome>[]): void {
    if (this.#measurements === undefined) return;
    const now = performance.now();
    this.#measurements.sizes.observe(taken.length);
    for (const { submittedAt } of taken) {
      this.#measurements.waits.observe((now - submittedAt) / 1000);
    }
  }

  /**
   * A commit is all or nothing, so when one fails because of a request, its halves are tried apart until that request
   * fails alone. Any other error fails all requests.
   */
  async #settle(batch: readonly Waiting<Request, Outcome>[], committed: () => void): Promise<void> {
    let outcomes: readonly (Outcome | Postponed)[];
    try {
      outcomes = await this.#commit(batch.map(({ request }) => request));
    } catch (error) {
      if (batch.length === 1 || failsEveryRequest(error)) {
        committed();
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.#settle(batch.slice(0, half), () => undefined);
      await this.#settle(batch.slice(half), committed);
      return;
    }
    // The next commit is sent before these promises resolve: their handlers take time, and the database would idle.
    committed();
    setImmediate(() => {
      batch.forEach((waiting, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) {
          waiting.reject(new Error('a commit gave fewer outcomes than requests'));
        } else if (outcome instanceof Postponed) this.#postpone(waiting, outcome);
        else waiting.resolve(outcome);
      });
    });
  }

  /** It counts as waiting, and may be refused as such, until it is committed. */
  #postpone(waiting: Waiting<Request, Outcome>, { until }: Postponed): void {
    this.#waiting.add(waiting);
    this.#waitingOf.add(waiting.owner);
    this.#expireLater();
    until.then(
      () => {
        if (!this.#waiting.has(waiting)) return;
        this.#queue.pushFirst(waiting);
        this.#gather();
      },
      (error: unknown) => {
        this.#leave(waiting);
        waiting.reject(error);
      },
    );
  }

  #leave(waiting: Waiting<Request, Outcome>): void {
    if (!this.#waiting.delete(waiting)) return;
    this.#waitingOf.remove(waiting.owner);
  }

  #expireLater(): void {
    const { maxWaitMs } = this.#options;
    this.#expiry ??= setTimeout(() => this.#expire(), Math.min(1000, maxWaitMs)).unref();
  }

  #expire(): void {
    this.#expiry = undefined;
    const submittedBefore = performance.now() - this.#options.maxWaitMs;
    for (const waiting of this.#waiting) {
      if (waiting.submittedAt > submittedBefore) continue;
      this.#leave(waiting);
      this.#queue.remove(waiting);
      waiting.reject(new OverloadedError('the request waited too long to be committed'));
    }
    if (this.#waiting.size > 0) this.#expireLater();
  }
}
