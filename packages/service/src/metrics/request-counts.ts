// Completed requests of this server, by route and by organisation.

/** The completed requests of one method, route and status. */
export type RequestCount = { method: string; route: string; status: number; requests: number };

/** Completed requests, by method, route and status. */
export type RequestCounts = { counts(): Iterable<RequestCount> };

/** Statuses of requests that the caller may not make, or makes too often. */
export const REFUSALS: readonly number[] = [401, 403, 429];

/** The completed requests of an organisation. */
export type CallerCount = {
  organisation: string;
  requests: number;
  /** Those with the status 401, 403 or 429. */
  refused: number;
  /** Those with a status of 500 or more. */
  failed: number;
};

/** Organisations that are counted at the same time; requests of further ones are not counted. */
const MAX_ORGANISATIONS = 10_000;

/** Counts the requests of each organisation until they are taken. */
export class CallerCounts {
  #counts = new Map<string, CallerCount>();

  count(organisation: string, status: number): void {
    const count = this.#find(organisation);
    if (count === undefined) return;
    count.requests++;
    if (REFUSALS.includes(status)) count.refused++;
    if (status >= 500) count.failed++;
  }

  /** Returns the counts since the last call and begins anew. */
  take(): CallerCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }

  /** Adds counts that were taken in vain. */
  putBack(counts: readonly CallerCount[]): void {
    for (const taken of counts) {
      const count = this.#find(taken.organisation);
      if (count === undefined) continue;
      count.requests += taken.requests;
      count.refused += taken.refused;
      count.failed += taken.failed;
    }
  }

  #find(organisation: string): CallerCount | undefined {
    const found = this.#counts.get(organisation);
    if (found !== undefined || this.#counts.size >= MAX_ORGANISATIONS) return found;
    const added = { organisation, requests: 0, refused: 0, failed: 0 };
    this.#counts.set(organisation, added);
    return added;
  }
}
