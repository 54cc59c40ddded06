// Compares the clock of this machine with that of the service: a grant is valid for one minute.
import { type Fetch, platformFetch } from '@landfall/client';
import { report } from '../output/output.js';

/** The difference that is reported, in seconds. */
const REPORTED_DIFFERENCE_S = 10;

/** `fetch`, which reports a clock that is off when the service refuses. */
export const fetchWithClock: Fetch = async (input, init) => {
  const response = await platformFetch(input, init);
  if (response.status === 400 || response.status === 401) {
    const warning = describeClock(response, Date.now());
    if (warning !== undefined) report(`warning: ${warning}`);
  }
  return response;
};

/** The difference to the `Date` of a response, if it is large. */
export function describeClock({ headers, url }: Response, now: number): string | undefined {
  const seconds = Math.round((now - Date.parse(headers.get('date') ?? '')) / 1000);
  if (!(Math.abs(seconds) > REPORTED_DIFFERENCE_S)) return undefined;
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${Math.abs(seconds)} s ${direction} that of ${new URL(url).origin}: set it, because tokens are refused otherwise`;
}
