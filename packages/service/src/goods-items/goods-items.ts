// The goods items of one server: publishing, and what runs in the background for them.
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { expireGoodsItems } from './expire-events.js';
import { makePublishBlock, type PublishBlock } from './publish-block.js';

/** Publishing and removing. */
export type GoodsItems = {
  publishBlock: PublishBlock;
  /** Removes events that were published before a time, unless they are not relayed yet: then it reports 1. */
  expire(before: Date, reportWaiting: (feeds: number) => void): AsyncIterable<number>;
};

export type GoodsItemsSettings = {
  /** The position up to which events may be removed: those after it are not relayed yet, and would be missing in NATS. */
  findRelayed: () => Promise<number>;
  clock: () => Date;
};

export function makeGoodsItems(
  database: Database,
  watch: FeedWatch,
  { findRelayed, clock }: GoodsItemsSettings,
): GoodsItems {
  return {
    publishBlock: makePublishBlock(database, watch, clock),
    expire: (before, reportWaiting) =>
      expireGoodsItems(database, before, findRelayed, reportWaiting),
  };
}
