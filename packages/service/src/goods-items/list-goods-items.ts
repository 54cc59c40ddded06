// Reads the stream of goods-item messages, which is the same for every organisation.
import type { GoodsItemsQuery } from '@landfall/contract';
import type { FeedRequest } from '../feed/read-feed.js';
import { goodsItemStream } from './event-feed.js';

/** The read of the feed that the query requests. */
export function listGoodsItems({
  marker,
  since,
  limit,
}: Pick<FeedRequest, keyof GoodsItemsQuery>): FeedRequest {
  return { feed: goodsItemStream, marker, since, limit };
}
