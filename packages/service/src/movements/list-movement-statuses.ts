// Lists the statuses of an organisation's requests about movement messages.
import type { MovementStatusQuery } from '@landfall/contract';
import type { FeedRequest } from '../feed/read-feed.js';
import { movementStatuses } from './status-feed.js';

/** The read of the feed that the query requests. */
export function listMovementStatuses(
  organisationId: number,
  { marker, timeline, since, limit }: MovementStatusQuery,
): FeedRequest {
  return {
    feed: { kind: movementStatuses, owner: organisationId },
    marker,
    timeline,
    since,
    limit,
  };
}
