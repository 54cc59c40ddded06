// A queue of many owners, from which batches are taken in turns: an owner with many requests delays only its own.

/** A queued request: its owner, and the keys that no other request of its batch may have. */
export type Queued = { owner: unknown; keys: readonly string[] };

/** Keeps the requests of each owner in their order; the owner that was served last comes last. */
export class FairQueue<Request extends Queued> {
  readonly #requestsOf = new Map<unknown, Request[]>();
  readonly #mayTake: (owner: unknown) => boolean;
  #size = 0;

  /** @param mayTake whether requests of an owner may be taken now */
  constructor(mayTake: (owner: unknown) => boolean = () => true) {
    this.#mayTake = mayTake;
  }

  get size(): number {
    return this.#size;
  }

  push(request: Request): void {
    this.#requests(request.owner).push(request);
    this.#size++;
  }

  /** Puts it before the other requests of its owner. */
  pushFirst(request: Request): void {
    this.#requests(request.owner).unshift(request);
    this.#size++;
  }

  remove(request: Request): void {
    const requests = this.#requestsOf.get(request.owner);
    const index = requests?.indexOf(request) ?? -1;
    if (requests === undefined || index === -1) return;
    requests.splice(index, 1);
    this.#size--;
    if (requests.length === 0) this.#requestsOf.delete(request.owner);
  }

  /** Takes up to `max` requests that have no key in common, one of each owner in turn. */
  take(max: number): Request[] {
    const taken: Request[] = [];
    const keys = new Set<string>();
    let turns = [...this.#requestsOf]
      .filter(([owner]) => this.#mayTake(owner))
      .map(([owner, requests]) => ({ owner, requests, next: 0, left: [] as Request[] }));
    const all = turns;
    while (turns.length > 0 && taken.length < max) {
      turns = turns.filter((turn) => {
        if (taken.length === max) return false;
        const request = nextFree(turn, keys);
        if (request !== undefined) taken.push(request);
        return request !== undefined;
      });
    }
    for (const { owner, requests, next, left } of all) {
      if (next === left.length) continue;
      this.#requestsOf.delete(owner);
      const remaining = [...left, ...requests.slice(next)];
      if (remaining.length > 0) this.#requestsOf.set(owner, remaining);
    }
    this.#size -= taken.length;
    return taken;
  }

  #requests(owner: unknown): Request[] {
    const known = this.#requestsOf.get(owner);
    if (known !== undefined) return known;
    const requests: Request[] = [];
    this.#requestsOf.set(owner, requests);
    return requests;
  }
}

/** One owner's part in a batch: the index of its next request, and those before it that are left. */
type Turn<Request> = { requests: readonly Request[]; next: number; left: Request[] };

/** The owner's next request of which no key is used; keys of one that is left are used too, to keep the order. */
function nextFree<Request extends Queued>(
  turn: Turn<Request>,
  keys: Set<string>,
): Request | undefined {
  while (turn.next < turn.requests.length) {
    const request = turn.requests[turn.next++];
    if (request === undefined) continue;
    const free = request.keys.every((key) => !keys.has(key));
    for (const key of request.keys) keys.add(key);
    if (free) return request;
    turn.left.push(request);
  }
  return undefined;
}
