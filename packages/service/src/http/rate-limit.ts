// Limits how many requests a second an organisation may make on this server.
import { HttpError } from './problem.js';

/** Counts in windows of one second; an organisation's count is kept while its window lasts. */
export class RateLimit {
  readonly #perSecond: number;
  #second = 0;
  #counts = new Map<number, number>();

  /** @param perSecond requests a second that an organisation may make; 0: no limit */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /**
   * Counts one request of an organisation.
   *
   * @param now milliseconds since 1970
   * @throws HttpError 429 when the organisation is over its rate
   */
  count(organisationId: number, now: number): void {
    if (this.#perSecond === 0) return;
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(organisationId) ?? 0) + 1;
    this.#counts.set(organisationId, count);
    if (count <= this.#perSecond) return;
    throw new HttpError(429, `This organisation may make ${this.#perSecond} requests a second`, {
      'Retry-After': '1',
      // draft-ietf-httpapi-ratelimit-headers: what is left, and the policy it is left of.
      RateLimit: '"organisation";r=0;t=1',
      'RateLimit-Policy': `"organisation";q=${this.#perSecond};w=1`,
    });
  }
}
