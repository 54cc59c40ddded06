// The feed of goods-item events: one for the whole installation; the publisher's eventId is the marker.
import { operations } from '@landfall/contract';
import type { Feed, FeedKind } from '../feed/feed.js';

/** The owner of the feed; organisations are numbered from 1. */
export const STREAM_OWNER = 0;

export const goodsItemEvents: FeedKind = {
  number: 6,
  table: 'goods_item_event',
  ids: 'given',
  startAgain: `the current items, ${operations.listCurrentGoodsItems.path}`,
  expiredIds: 'goods_item_expired',
};

/** The stream of goods items. */
export const goodsItemStream: Feed = { kind: goodsItemEvents, owner: STREAM_OWNER };
