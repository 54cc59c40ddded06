// Reads the stream of goods-item messages with the parameters of the national service.
import type { DeclarationItemFeedQuery } from '@landfall/contract';
import type { FeedRequest, Restrict } from '../feed/read-feed.js';
import { listGoodsItems } from './list-goods-items.js';

/** The read of the feed that the query requests. */
export function listDeclarationItems(
  { last, timestamp, skip, max }: DeclarationItemFeedQuery,
  restrict: Restrict,
): FeedRequest {
  return { ...listGoodsItems({ marker: last, since: timestamp, limit: max }, restrict), skip };
}
