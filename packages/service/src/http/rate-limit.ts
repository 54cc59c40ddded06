// Limits the requests per second of one organisation, client, person or address on this server.
import { isIPv6 } from 'node:net';
import { HttpError } from './problem.js';

/** Keys that are counted separately in one window; bounds the memory that addresses can take. */
const MAX_KEYS = 100_000;

/** A header. As a plain member, TypeScript would take it for the class of the same name, and write another one. */
const REMAINING = 'RateLimit';

/** Bytes of a body that count as one request. */
export const COUNTED_BYTES = 4096;

/** What a request with a body costs. */
export type RequestCost = {
  /** How many requests it counts as. */
  requests: number;
  /** How many it has counted as so far: they do not refuse the rest of its body. */
  counted: number;
};

/**
 * Counts requests in windows of one second. Whoever has not used up a second's requests may begin one of any cost; what it
 * costs beyond them is taken from the seconds that follow.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #subject: string;
  readonly #maxKeys: number;
  #second = 0;
  #counts = new Map<number | string, number>();
  /** The count that keys above the maximum share. */
  #shared = 0;

  /**
   * @param perSecond requests per second that each key may make; 0: no limit
   * @param subject the kind of key, one word: `organisation`, `client`, `person` or `address`
   * @param maxKeys keys that are counted separately in a window; all others share one count
   */
  constructor(perSecond: number, subject = 'organisation', maxKeys: number = MAX_KEYS) {
    this.#perSecond = perSecond;
    this.#subject = subject;
    this.#maxKeys = maxKeys;
  }

  /**
   * Counts one request. One that is refused is not counted.
   *
   * @param key the organisation, client, person or address that makes it
   * @param now milliseconds since 1970
   * @param cost what it counts as, where bodies count; default: one
   * @throws HttpError 429 when the key is over its rate
   */
  count(key: number | string, now: number, cost?: RequestCost): void {
    if (this.#perSecond === 0) return;
    this.#beginWindow(Math.floor(now / 1000));
    const isShared = !this.#counts.has(key) && this.#counts.size >= this.#maxKeys;
    const count = isShared ? this.#shared : (this.#counts.get(key) ?? 0);
    const { requests, counted } = cost ?? { requests: 1, counted: 0 };
    if (count - counted >= this.#perSecond)
      throw this.#refusal(count - counted, cost !== undefined);
    if (isShared) this.#shared += requests;
    else this.#counts.set(key, count + requests);
  }

  /** Each window takes a second's requests from what was counted; most counts end with it. */
  #beginWindow(second: number): void {
    if (second === this.#second) return;
    // A clock that is set back is in its next second, too.
    const allowed = Math.max(1, second - this.#second) * this.#perSecond;
    const counts = new Map<number | string, number>();
    for (const [key, count] of this.#counts) if (count > allowed) counts.set(key, count - allowed);
    this.#second = second;
    this.#counts = counts;
    this.#shared = Math.max(0, this.#shared - allowed);
  }

  #refusal(count: number, countsBodies: boolean): HttpError {
    const seconds = Math.floor(count / this.#perSecond);
    const rule = `This ${this.#subject} may make ${this.#perSecond} requests a second`;
    return new HttpError(
      429,
      countsBodies
        ? `${rule}; one with a body counts as one for each ${COUNTED_BYTES / 1024} KiB of it`
        : rule,
      {
        'Retry-After': String(seconds),
        // draft-ietf-httpapi-ratelimit-headers: the remaining requests, and the policy.
        [REMAINING]: `"${this.#subject}";r=0;t=${seconds}`,
        'RateLimit-Policy': `"${this.#subject}";q=${this.#perSecond};w=1`,
      },
    );
  }
}

/** The key of an address. IPv6 addresses count by their first 64 bits, because a subscriber has a network of that size. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%', 1);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [start = '', end] = plain.split('::');
  const groups = start === '' ? [] : start.split(':');
  const groupsAfter = end === undefined || end === '' ? 0 : end.split(':').length;
  if (end !== undefined) {
    const zeros = Array.from({ length: Math.max(0, 8 - groups.length - groupsAfter) }, () => '0');
    groups.push(...zeros, ...end.split(':'));
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
