// Reads the routing signals of an organisation.
import type { RoutingQuery } from '@landfall/contract';
import type { FeedRequest } from '../feed/read-feed.js';
import { routingSignals } from './signal-feed.js';

/** The read of the feed that the query requests. */
export function readRoutingSignals(
  organisationId: number,
  { marker, timeline, since, limit }: RoutingQuery,
): FeedRequest {
  return { feed: { kind: routingSignals, owner: organisationId }, marker, timeline, since, limit };
}
