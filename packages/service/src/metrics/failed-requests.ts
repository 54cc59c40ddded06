// The last failed requests of this server, so that an operator finds the one whose id somebody quotes.

/** A failed request of this server. */
export type OwnFailedRequest = {
  /** The id that its error has. */
  id: string;
  /** ISO 8601, by the clock of this server. */
  at: string;
  method: string;
  /** Without identifiers; absent if it is for none. */
  route?: string;
  /** 500 or more. */
  status: number;
  /** Absent without a valid token. */
  organisation?: string;
  reason: string;
};

/** How many internal errors are kept for each report of the server, which it writes once a minute. */
export const MAX_INTERNAL_ERRORS = 30;

/** How many others, such as those while the database is unavailable. */
export const MAX_OTHER_FAILURES = 10;

declare module 'fastify' {
  interface FastifyInstance {
    failedRequests: FailedRequests;
  }
}

/** The failed requests since the last report; of too many, the last ones. */
export class FailedRequests {
  #internal: OwnFailedRequest[] = [];
  #others: OwnFailedRequest[] = [];

  add(failed: OwnFailedRequest): void {
    const isInternal = failed.status === 500;
    const list = isInternal ? this.#internal : this.#others;
    list.push(failed);
    if (list.length > (isInternal ? MAX_INTERNAL_ERRORS : MAX_OTHER_FAILURES)) list.shift();
  }

  /** Those that are not in a report yet, oldest first. */
  list(): readonly OwnFailedRequest[] {
    return [...this.#internal, ...this.#others].sort((one, other) =>
      one.at < other.at ? -1 : one.at > other.at ? 1 : 0,
    );
  }

  /** Forgets those that a report has. */
  remove(reported: readonly OwnFailedRequest[]): void {
    const isNew = (failed: OwnFailedRequest) => !reported.includes(failed);
    this.#internal = this.#internal.filter(isNew);
    this.#others = this.#others.filter(isNew);
  }
}
