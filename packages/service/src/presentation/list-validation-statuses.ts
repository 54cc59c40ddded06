// Lists the validation statuses of an organisation's requests.
import type { ValidationStatusQuery } from '@landfall/contract';
import type { FeedRequest } from '../feed/read-feed.js';
import { validationStatuses } from './status-feed.js';
import { makeStatusFilter } from './status-queries.js';

/** The read of the feed that the query requests. */
export function listValidationStatuses(
  organisationId: number,
  { marker, timeline, since, limit, ...filters }: ValidationStatusQuery,
): FeedRequest {
  return {
    feed: { kind: validationStatuses, owner: organisationId },
    marker,
    timeline,
    since,
    limit,
    filter: makeStatusFilter(filters),
  };
}
