// The goods items of one server: publishing, and what runs in the background for them.
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { expireGoodsItems } from './expire-events.js';
import { makePublishBlock, type PublishBlock } from './publish-block.js';

const DAY_MS = 24 * 3600 * 1000;

/** Publishing and removing. */
export type GoodsItems = {
  publishBlock: PublishBlock;
  /** Removes events that were published before a time, unless they are not relayed yet: then it reports 1. */
  expire(before: Date, reportWaiting: (feeds: number) => void): AsyncIterable<number>;
};

/** The positions up to which events may be removed: those after them are not relayed yet, and would be missing in NATS. */
export type FindRelayed = {
  /** Up to there they are relayed, also to every view. */
  everywhere: () => Promise<number>;
  /** Up to there they are relayed, whatever views have. */
  exceptToViews: () => Promise<number>;
};

export type GoodsItemsSettings = {
  findRelayed: FindRelayed;
  /** How long events are kept, in days. For a view that is not relayed they are kept as long again. */
  days: number;
  clock: () => Date;
};

export function makeGoodsItems(
  database: Database,
  watch: FeedWatch,
  { findRelayed, days, clock }: GoodsItemsSettings,
): GoodsItems {
  return {
    publishBlock: makePublishBlock(database, watch, clock),
    expire: (before, reportWaiting) =>
      expireGoodsItems(database, before, findRelayed.everywhere, reportWaiting, {
        before: new Date(before.getTime() - days * DAY_MS),
        findUpTo: findRelayed.exceptToViews,
      }),
  };
}
