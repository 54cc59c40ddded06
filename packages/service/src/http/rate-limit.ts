// Limits the requests per second of one organisation, client, person or address on this server.
import { isIPv6 } from 'node:net';
import { HttpError } from './problem.js';

/** Keys that are counted separately in one window; bounds the memory that addresses can take. */
const MAX_KEYS = 100_000;

/** Counts requests in windows of one second. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #subject: string;
  readonly #maxKeys: number;
  #second = 0;
  #counts = new Map<number | string, number>();
  #uncounted = 0;

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
   * Counts one request.
   *
   * @param key the organisation, client, person or address that makes it
   * @param now milliseconds since 1970
   * @throws HttpError 429 when the key is over its rate
   */
  count(key: number | string, now: number): void {
    if (this.#perSecond === 0) return;
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = new Map();
      this.#uncounted = 0;
    }
    if (this.#increase(key) <= this.#perSecond) return;
    throw new HttpError(
      429,
      `This ${this.#subject} may make ${this.#perSecond} requests a second`,
      {
        'Retry-After': '1',
        // draft-ietf-httpapi-ratelimit-headers: the remaining requests, and the policy.
        RateLimit: `"${this.#subject}";r=0;t=1`,
        'RateLimit-Policy': `"${this.#subject}";q=${this.#perSecond};w=1`,
      },
    );
  }

  #increase(key: number | string): number {
    const counted = this.#counts.get(key);
    if (counted === undefined && this.#counts.size >= this.#maxKeys) return ++this.#uncounted;
    const count = (counted ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
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
