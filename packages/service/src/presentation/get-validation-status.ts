// Reads the status of one request.
import type { FeedView, FoundStatus } from '../feed/feed-views.js';
import { selectStatus } from './status-queries.js';

/** The request of this organisation; `undefined` if it has made no such request. */
export async function getValidationStatus(
  view: FeedView,
  organisationId: number,
  requestId: string,
): Promise<FoundStatus | undefined> {
  const found = await view.findEntry(selectStatus(organisationId, requestId));
  return found && { status: found.entry };
}
