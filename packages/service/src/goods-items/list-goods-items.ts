// Reads the stream of goods-item messages: the same order and markers for every organisation, and of the messages what its view
// shows.
import type { GoodsItemsQuery } from '@landfall/contract';
import type { FeedRequest, Restrict } from '../feed/read-feed.js';
import { goodsItemStream } from './event-feed.js';

/** The read of the feed that the query requests. */
export function listGoodsItems(
  { marker, timeline, since, limit }: Pick<FeedRequest, keyof GoodsItemsQuery>,
  restrict: Restrict,
): FeedRequest {
  return { feed: goodsItemStream, marker, timeline, since, limit, restrict };
}
