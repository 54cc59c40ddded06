// The `fetch` of a command: it reports a clock that is off, and with --debug each request and response.
import type { Fetch } from '@landfall/client';
import type { IdentityOptions } from '../input/options.js';
import { fetchWithClock } from './clock.js';
import { showExchanges } from './debug-fetch.js';

/** How a command sends requests: options of a connection. */
export type Sending = { fetch: Fetch; timeoutMs?: number; allowHttp?: boolean };

/** The `fetch` and the time limit that the options select. */
export function openFetch(
  { debug, timeout, allowHttp }: Pick<IdentityOptions, 'debug' | 'timeout' | 'allowHttp'>,
  send: Fetch = fetchWithClock,
): Sending {
  return {
    fetch: debug === true ? showExchanges(send) : send,
    ...(allowHttp === true && { allowHttp }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
  };
}
