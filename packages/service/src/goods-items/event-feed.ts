// The feed of goods-item events: one for the whole installation; the publisher's eventId is the marker.
import { operations } from '@landfall/contract';
import type { Feed, FeedKind } from '../feed/feed.js';

/** The owner of the feed; organisations are numbered from 1. */
export const STREAM_OWNER = 0;

export const goodsItemEvents = {
  number: 6,
  name: 'goods-items',
  table: 'goods_item_event',
  ids: 'given',
  // The publisher's events are what is kept, and they are no decision of this service.
  audited: false,
  time: 'published_at',
  startAgain: `the current items, ${operations.listCurrentGoodsItems.path}`,
  expiredIds: 'goods_item_expired',
} satisfies FeedKind;

/** The stream of goods items. */
export const goodsItemStream: Feed = { kind: goodsItemEvents, owner: STREAM_OWNER };
