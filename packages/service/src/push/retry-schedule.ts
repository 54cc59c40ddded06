// When what a receiver has not confirmed is sent again.

/** The first wait, and the longest one, in seconds. */
export type RetryWaits = { first: number; longest: number };
const WAITS: RetryWaits = { first: 5, longest: 3600 };

/** For how long a receiver may confirm nothing before its subscription is suspended, in seconds. */
export const GIVE_UP_AFTER_S = 3 * 24 * 3600;

/** The same for one that is being verified. */
export const GIVE_UP_VERIFYING_AFTER_S = 15 * 60;

/** How much a wait is shortened at most, so that receivers that failed together are not tried together. */
const JITTER = 0.2;

/**
 * The seconds until the next attempt.
 *
 * @param failures how many have failed, this one included
 * @param retryAfter seconds for which the receiver has asked; it never makes the wait shorter, or longer than the longest one
 * @param random from 0 to below 1
 */
export function nextWait(
  failures: number,
  retryAfter: number | undefined,
  random: number,
  { first, longest } = WAITS,
): number {
  const wait = Math.min(longest, first * 2 ** Math.min(failures - 1, 20));
  const jittered = wait * (1 - JITTER * random);
  return Math.max(jittered, Math.min(retryAfter ?? 0, longest));
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns seconds, 0 or more; `undefined` if it says nothing
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.length > 100) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, (time - now) / 1000);
}
