// Limits how many requests of a kind each organisation has open at the same time: reads (streams of events, long polls,
// pages being sent), and uploads.

import type { ServerResponse } from 'node:http';
import { KeyCounts } from '../key-counts.js';
import { HttpError } from './problem.js';

/** A request that is counted as open. */
export type OpenRequest = {
  /** Counts it until this work has ended, too. Called before its response is closed. */
  countUntil(work: Promise<unknown>): void;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Of an upload. */
    openUpload: OpenRequest | undefined;
  }
}

/** Counts the requests of one kind that are open on this server. */
export class OpenRequests {
  readonly #kind: 'reads' | 'uploads';
  readonly #limit: number;
  readonly #byOrganisation = new KeyCounts<number>();
  /** All that are open. */
  total = 0;
  /** Those that were refused. */
  refused = 0;

  /** @param limit requests that one organisation may have open; 0: no limit */
  constructor(kind: 'reads' | 'uploads', limit: number) {
    this.#kind = kind;
    this.#limit = limit;
  }

  /**
   * Counts a request until its response is closed, and what was begun for it has ended: a client that leaves cannot begin
   * another one in the place of work that goes on.
   *
   * @throws HttpError 429 when the organisation has too many
   */
  begin(organisation: number, response: ServerResponse): OpenRequest {
    // The client left while it was authenticated: the response has no end that could be waited for.
    if (response.closed || response.destroyed) return { countUntil: () => undefined };
    if (this.#limit > 0 && this.#byOrganisation.of(organisation) >= this.#limit) {
      this.refused++;
      throw new HttpError(
        429,
        `This organisation may have ${this.#limit} ${this.#kind} open at the same time`,
        { 'Retry-After': '1' },
      );
    }
    this.#byOrganisation.add(organisation);
    this.total++;
    let unended = 1;
    const end = () => {
      if (--unended > 0) return;
      this.total--;
      this.#byOrganisation.remove(organisation);
    };
    response.once('close', end);
    return {
      countUntil: (work) => {
        unended++;
        work.then(end, end);
      },
    };
  }
}
