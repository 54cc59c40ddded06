// Refuses requests that a page of another site makes a browser send, by both headers that say where they come from.
import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from './problem.js';

/** `Sec-Fetch-Site` of a page of this site, and of what a person opened. Programs do not send it. */
const OWN_SITES: readonly (string | undefined)[] = [undefined, 'same-origin', 'same-site', 'none'];

/**
 * Refuses a request of another site. A browser sends requests without `Origin` for pages of others too, and these have
 * only `Sec-Fetch-Site`; browsers from before 2023 send only `Origin`.
 *
 * @param isOwn whether a page with this `Origin` may send the request, or a caller without one
 * @param pages the pages that may, for the error
 * @throws HttpError 403
 */
export function refuseOtherSites(
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  isOwn: (origin: string | undefined) => boolean,
  pages: string,
): void {
  if (!isOwn(origin)) throw new HttpError(403, `Origin must be that of ${pages}`);
  if (OWN_SITES.includes(site?.toString())) return;
  throw new HttpError(403, 'Sec-Fetch-Site must be same-origin, same-site or none');
}
