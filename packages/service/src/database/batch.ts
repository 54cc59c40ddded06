// Group commit: requests that arrive while a commit is under way share the next one.
import { failsEveryRequest, OverloadedError } from './errors.js';

/** Commits many requests at once, all or nothing; gives their outcomes in their order. */
export type CommitTogether<Request, Outcome> = (
  requests: readonly Request[],
) => Promise<readonly Outcome[]>;

/** How a batch is formed. */
export type BatchOptions<Request> = {
  /** Most requests in one commit. */
  most?: number;
  /** Most requests that may wait; one more is refused with OverloadedError. */
  queue?: number;
  /** Commits that may be under way at once; more than one only where they are carried out one after the other. */
  ahead?: number;
  /** Requests that have a key in common never share a commit: the later one sees what became of the earlier. */
  keys?: (request: Request) => readonly (string | undefined)[];
};

type Waiting<Request, Outcome> = {
  request: Request;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

/** Collects requests into commits. */
export class Batch<Request, Outcome> {
  readonly #commit: CommitTogether<Request, Outcome>;
  readonly #most: number;
  readonly #queueLimit: number;
  readonly #ahead: number;
  readonly #keys: (request: Request) => readonly (string | undefined)[];
  #queue: Waiting<Request, Outcome>[] = [];
  #gathering = false;
  /** How many requests each commit has that is under way. */
  #underWay: number[] = [];

  constructor(
    commit: CommitTogether<Request, Outcome>,
    { most = 256, queue = 10_000, ahead = 1, keys = () => [] }: BatchOptions<Request> = {},
  ) {
    this.#commit = commit;
    this.#most = most;
    this.#queueLimit = queue;
    this.#ahead = ahead;
    this.#keys = keys;
  }

  /**
   * Puts a request into the next commit; answers after that commit.
   *
   * @throws OverloadedError when too many wait already
   * @throws DatabaseUnavailableError when the commit failed, or nobody knows whether it did
   */
  submit(request: Request): Promise<Outcome> {
    if (this.#queue.length >= this.#queueLimit) {
      return Promise.reject(new OverloadedError('too many requests are waiting to be committed'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      // One that goes alone goes at once; otherwise what else arrives with this turn of the event loop goes along.
      if (this.#most === 1) this.#next();
      else if (!this.#gathering) {
        this.#gathering = true;
        setImmediate(() => {
          this.#gathering = false;
          this.#next();
        });
      }
    });
  }

  /** Starts the next commit, if there is something to commit and it is time for it. */
  #next(): void {
    const waiting = this.#queue.length;
    if (waiting === 0 || this.#underWay.length >= this.#ahead) return;
    // One that goes ahead is worth it when it is as large as the one before it: small ones cost more each.
    const last = this.#underWay.at(-1);
    if (last !== undefined && waiting < last) return;
    const taken = this.#take();
    this.#underWay.push(taken.length);
    void this.#settle(taken, () => {
      this.#underWay.shift();
      this.#next();
    });
  }

  /** The first of the queue, as many as fit and have no key in common; the others keep their order. */
  #take(): Waiting<Request, Outcome>[] {
    const taken: Waiting<Request, Outcome>[] = [];
    const left: Waiting<Request, Outcome>[] = [];
    const seen = new Set<string>();
    for (const waiting of this.#queue) {
      const keys = this.#keys(waiting.request);
      if (taken.length < this.#most && !keys.some((key) => key !== undefined && seen.has(key))) {
        taken.push(waiting);
      } else {
        left.push(waiting);
      }
      // Also those of one that is left: nobody who came after it goes before it.
      for (const key of keys) if (key !== undefined) seen.add(key);
    }
    this.#queue = left;
    return taken;
  }

  /**
   * A commit is all or nothing, so when one fails on a request, its halves are tried apart until that request
   * fails alone. When the database is away it is away for all.
   */
  async #settle(batch: readonly Waiting<Request, Outcome>[], committed: () => void): Promise<void> {
    let outcomes: readonly Outcome[];
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
    // The next commit is on its way before these are answered: answering takes time, and the database would idle.
    committed();
    setImmediate(() => {
      batch.forEach(({ resolve, reject }, place) => {
        const outcome = outcomes[place];
        if (outcome === undefined) reject(new Error('a commit gave fewer outcomes than requests'));
        else resolve(outcome);
      });
    });
  }
}
