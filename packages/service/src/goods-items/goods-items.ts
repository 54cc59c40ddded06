// The goods items of one server: publishing, and what runs in the background for them.
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { Measure } from '../metrics/measure.js';
import { makePublishBlock, type PublishBlock } from './publish-block.js';
import { findRelayed, type Relay, type RelayLog, startRelay } from './relay/relay.js';
import { startRetention } from './retain-events.js';

/** Publishing and the background work, until they are closed. */
export type GoodsItems = {
  publishBlock: PublishBlock;
  measures: readonly Measure[];
  /** The position of the last relayed event and how many are not relayed yet; `undefined` without a relay. */
  readRelay(): Promise<{ position: number; lag: number } | undefined>;
  /** Removes now what has expired. */
  expire(): Promise<void>;
  close(): Promise<void>;
};

/** The configuration; without an address of NATS nothing is relayed, and with 0 days all events are kept. */
export type GoodsItemsSettings = {
  natsUrl: string;
  retentionDays: number;
  clock: () => Date;
  log: RelayLog;
};

const DAY = 24 * 3600 * 1000;

/** Starts what is configured. */
export function startGoodsItems(
  database: Database,
  watch: FeedWatch,
  { natsUrl, retentionDays, clock, log }: GoodsItemsSettings,
): GoodsItems {
  const relay = natsUrl === '' ? undefined : startRelay(database, watch, natsUrl, log);
  const retention =
    retentionDays === 0
      ? undefined
      : startRetention(
          database,
          {
            age: retentionDays * DAY,
            now: () => clock().getTime(),
            // Events that are not relayed yet would be missing in NATS.
            upTo: async () =>
              relay === undefined ? Number.MAX_SAFE_INTEGER : await findRelayed(database),
          },
          (error) => log.warn({ err: error }, 'expired goods items could not be removed'),
        );
  return {
    publishBlock: makePublishBlock(database, watch, clock),
    measures: relay === undefined ? [] : relayMeasures(relay),
    readRelay: async () =>
      relay && { position: await findRelayed(database), lag: await relay.lag() },
    expire: async () => retention?.expire(),
    close: async () => {
      await Promise.all([relay?.close(), retention?.end()]);
    },
  };
}

function relayMeasures(relay: Relay): Measure[] {
  return [
    {
      name: 'landfall_goods_items_relay_lag',
      help: 'Goods-item messages that are published but not yet relayed to NATS',
      read: () => relay.lag(),
    },
    {
      name: 'landfall_goods_items_relaying',
      help: 'Whether this server is the one that relays goods items to NATS',
      read: async () => (relay.relaying ? 1 : 0),
    },
  ];
}
