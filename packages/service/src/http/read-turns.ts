// Limits how many reads are being produced for each organisation at the same time, so that one organisation leaves
// sessions of the database to others. Long polls and streams take a turn for each page, not while they wait for entries.
import type { ServerResponse } from 'node:http';
import { HttpError } from './problem.js';

/** How long a read waits for its turn before it is refused, in milliseconds. */
const MAX_WAIT_MS = 10_000;

type Waiting = { begin: () => void; refuse: () => void };

/** The turns of one organisation. */
type Turns = { running: number; waiting: Set<Waiting> };

/** The turns of all organisations on this server. */
export class ReadTurns {
  readonly #limit: number;
  readonly #maxWaitMs: number;
  readonly #byOrganisation = new Map<number, Turns>();
  /** The responses that have a turn. */
  readonly #begun = new WeakSet<ServerResponse>();

  /** @param limit reads of one organisation that are produced at the same time */
  constructor(limit: number, maxWaitMs: number = MAX_WAIT_MS) {
    this.#limit = limit;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Reads when it is the turn of this read among those of its organisation; at once for a response that has a turn: if it
   * waited for another one, reads would wait for each other.
   *
   * @param response a read whose client has left meanwhile is not produced
   * @throws HttpError 429 when earlier reads of the organisation take too long
   */
  async take<Result>(
    organisation: number,
    response: ServerResponse,
    read: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#begun.has(response)) return read();
    const end = await this.begin(organisation, response);
    try {
      return await read();
    } finally {
      end();
    }
  }

  /**
   * Resolves when it is the turn of this read, with a function that ends it; more than once is the same as once.
   *
   * @throws HttpError 429 when earlier reads of the organisation take too long
   */
  async begin(organisation: number, response: ServerResponse): Promise<() => void> {
    const turns = this.#byOrganisation.get(organisation) ?? { running: 0, waiting: new Set() };
    this.#byOrganisation.set(organisation, turns);
    if (turns.running < this.#limit) turns.running++;
    else await this.#wait(turns, response);
    this.#begun.add(response);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#begun.delete(response);
      this.#end(organisation, turns);
    };
  }

  #wait({ waiting }: Turns, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        response.off('close', own.refuse);
        waiting.delete(own);
      };
      const own: Waiting = {
        begin: () => {
          leave();
          resolve();
        },
        refuse: () => {
          leave();
          reject(tooMany());
        },
      };
      const timer = setTimeout(own.refuse, this.#maxWaitMs);
      response.once('close', own.refuse);
      waiting.add(own);
      if (response.closed || response.destroyed) own.refuse();
    });
  }

  /** Gives the turn to the read that has waited longest. */
  #end(organisation: number, turns: Turns): void {
    const [next] = turns.waiting;
    if (next !== undefined) next.begin();
    else if (--turns.running === 0) this.#byOrganisation.delete(organisation);
  }
}

function tooMany(): HttpError {
  return new HttpError(
    429,
    'Earlier reads of this organisation take too long: it has too many at the same time',
    { 'Retry-After': '1' },
  );
}
