// Reads the status of one reported arrival.
import type { FeedView, FoundStatus } from '../feed/feed-views.js';
import { findStatus } from './get-movement-status.js';

/** The request of this organisation; `undefined` if it has made no such request about movements. */
export function getArrivalStatus(
  view: FeedView,
  organisationId: number,
  requestId: string,
): Promise<FoundStatus | undefined> {
  return findStatus(view, organisationId, requestId, '"level":"ARRIVAL","operation":"');
}
