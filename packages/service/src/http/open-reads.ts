// Limits how many reads each organisation has open at the same time: streams of events, long polls, pages being sent.
import type { ServerResponse } from 'node:http';
import { HttpError } from './problem.js';

/** Counts the reads that are open on this server. */
export class OpenReads {
  readonly #limit: number;
  readonly #byOrganisation = new Map<number, number>();
  /** All that are open. */
  total = 0;
  /** Those that were refused. */
  refused = 0;

  /** @param limit reads that one organisation may have open; 0: no limit */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts a read until its response is closed.
   *
   * @throws HttpError 429 when the organisation has too many
   */
  begin(organisation: number, response: ServerResponse): void {
    // The client left while it was authenticated: the response has no end that could be waited for.
    if (response.closed || response.destroyed) return;
    const open = this.#byOrganisation.get(organisation) ?? 0;
    if (this.#limit > 0 && open >= this.#limit) {
      this.refused++;
      throw new HttpError(
        429,
        `This organisation may have ${this.#limit} reads open at the same time`,
        { 'Retry-After': '1' },
      );
    }
    this.#byOrganisation.set(organisation, open + 1);
    this.total++;
    response.once('close', () => this.#end(organisation));
  }

  #end(organisation: number): void {
    this.total--;
    const open = (this.#byOrganisation.get(organisation) ?? 0) - 1;
    if (open > 0) this.#byOrganisation.set(organisation, open);
    else this.#byOrganisation.delete(organisation);
  }
}
