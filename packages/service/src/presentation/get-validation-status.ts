// Reads the status of one request.
import type { FeedView } from '../feed/feed-views.js';
import { selectStatus } from './status-queries.js';

/** The status as the JSON text that is sent; `undefined` if this organisation has made no such request. */
export async function getValidationStatus(
  view: FeedView,
  organisationId: number,
  requestId: string,
): Promise<string | undefined> {
  return (await view.findEntry(selectStatus(organisationId, requestId)))?.entry;
}
