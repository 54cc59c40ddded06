// Compares the clock of this machine with those of servers, by the Date header (RFC 9110, section 6.6.1).
import type { Fetch } from '@landfall/client';
import { CLOCK_SKEW } from '@landfall/contract';
import { type Check, failed, ok, skipped, warning } from './check.js';

/** The lifetime of the grants that the client signs, in seconds. */
const GRANT_LIFETIME_S = 60;

/** How far this clock is ahead of each server, in seconds; negative if it is behind. */
export type Clocks = Map<string, number>;

/** `fetch`, which notes the clock of each server that responds. */
export function measureClocks(send: Fetch, clocks: Clocks): Fetch {
  return async (input, init) => {
    const before = Date.now();
    const response = await send(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    // On average, a header with whole seconds is half a second old.
    const ahead = (before + Date.now()) / 2 - (date + 500);
    const { origin } = new URL(response.url);
    if (!Number.isNaN(ahead)) clocks.set(origin, Math.round(ahead / 1000));
    return response;
  };
}

/** A grant from the future is refused beyond 10 s, and one that has expired at once. */
export function checkClocks(clocks: Clocks): Check[] {
  if (clocks.size === 0) return [skipped('clock', 'no server responded with its time')];
  return [...clocks].map(([origin, seconds]) => {
    const amount = Math.abs(seconds);
    if (amount <= CLOCK_SKEW) return ok('clock', `differs by ${amount} s from ${origin}`);
    const direction = seconds > 0 ? 'ahead of' : 'behind';
    const detail = `the clock of this machine is ${amount} s ${direction} ${origin}`;
    return seconds > CLOCK_SKEW || amount >= GRANT_LIFETIME_S
      ? failed('clock', detail, 'Set the clock, best with NTP: grants are refused.')
      : warning('clock', detail, 'Set the clock, best with NTP, before grants are refused.');
  });
}
