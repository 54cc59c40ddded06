// The relays of one server: which feeds are relayed, and what is measured of it.
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { GoodsItemReader } from '../goods-items/goods-item-reader.js';
import { GoodsItemViews } from '../goods-items/goods-item-views.js';
import type { Measure } from '../metrics/measure.js';
import { type ProgressRow, selectProgress, selectRelayedStreams } from './queries.js';
import { type Relay, type RelaySettings, startRelay, startTask } from './relay.js';
import { RelayLag } from './relay-lag.js';
import { relayViews } from './relay-views.js';
import {
  type RelayedFeeds,
  relayedGoodsItems,
  relayedSignals,
  relayedViews,
  withPrefix,
} from './relayed-feeds.js';
import { selectViewProgress } from './view-queries.js';

/** What can be relayed, as the configuration names it. */
type RelayName = 'goods-items' | 'routing-signals';

const relayedFeeds: Record<RelayName, RelayedFeeds> = {
  'goods-items': relayedGoodsItems,
  'routing-signals': relayedSignals,
};

/** What is relayed. */
export type Relayed = RelayName | 'all';

/** The relays of this server, until they are closed. */
export type Relays = {
  measures: readonly Measure[];
  /** The streams to which this server relays, or would if it had the lock. */
  streams: readonly string[];
  /** How much is relayed, and how much is not yet; `undefined` for what is not relayed. */
  readProgress(name: RelayName): Promise<ProgressRow | undefined>;
  /**
   * The JetStream streams to which this server relays it and, by what is recorded, others do or did. Several are a wrong
   * configuration: servers have different prefixes, or the prefix was changed.
   */
  findStreams(name: RelayName): Promise<string[]>;
  /** How many entries each of these streams has had at least; `undefined` without one. */
  countRelayed(name: RelayName): Promise<number | undefined>;
  /** The position up to which the goods items of every view are relayed; `undefined` if none are. */
  countRelayedToViews(): Promise<number | undefined>;
  /**
   * Resolves when everything that should be is relayed by this server.
   *
   * @throws the last failure of a relay that is not, after so many milliseconds
   */
  whenRelaying(timeoutMs: number): Promise<void>;
  /** Ends the relays, does what replaces the data, and relays all of it to new streams. */
  restartAfter(work: () => Promise<void>): Promise<void>;
  /** Ends the relays and deletes their streams. */
  remove(): Promise<void>;
  close(): Promise<void>;
};

/** The settings of each relay, and what the names in NATS begin with. */
export type RelaysSettings = RelaySettings & { prefix: string };

/** Starts the relays; without an address of NATS, nothing is relayed. */
export function startRelays(
  database: Database,
  watch: FeedWatch,
  relayed: Relayed,
  settings: RelaysSettings,
): Relays {
  const relayable: Record<RelayName, RelayedFeeds> = {
    'goods-items': withPrefix(relayedFeeds['goods-items'], settings.prefix),
    'routing-signals': withPrefix(relayedFeeds['routing-signals'], settings.prefix),
  };
  const start = (name: RelayName) =>
    settings.natsUrl !== '' && (relayed === name || relayed === 'all')
      ? startRelay(database, watch, relayable[name], settings)
      : undefined;
  const relays = {
    'goods-items': start('goods-items'),
    'routing-signals': start('routing-signals'),
  };
  const names = withPrefix(relayedViews, settings.prefix);
  const reader = new GoodsItemReader(database, new GoodsItemViews(database));
  const task = relayViews({ database, watch, names, reader });
  // Whoever may read the stream there may have a view.
  const views =
    relays['goods-items'] === undefined ? undefined : startTask(database, task, settings);
  /** @param stream without a prefix; `own`: the one of this server, if it relays */
  const findRecorded = async (stream: string, own: string | undefined) => {
    // Servers may be configured differently, and each of them may run retention.
    const recorded = await database.query(selectRelayedStreams(stream));
    const all = recorded.map((row) => row.stream);
    return [...new Set(own === undefined ? all : [own, ...all])].sort();
  };
  const findStreams = (name: RelayName) =>
    findRecorded(relayedFeeds[name].stream, relays[name] && relayable[name].stream);
  const startedFeeds = (['goods-items', 'routing-signals'] as const).flatMap((name) => {
    const relay = relays[name];
    return relay === undefined ? [] : [{ relay, feeds: relayable[name] }];
  });
  const lags = startedFeeds.map(({ feeds }) => new RelayLag(database, watch, feeds));
  const started = [...startedFeeds.map(({ relay }) => relay), ...(views ? [views] : [])];
  return {
    streams: startedFeeds.map(({ feeds }) => feeds.stream),
    measures: [
      ...startedFeeds.flatMap(({ relay, feeds: { name } }, index) =>
        measuresOf(relay, name, async () => (await lags[index]?.read()) ?? 0),
      ),
      ...(views
        ? measuresOf(views, 'goods item views', async () => (await views.progress()).lag)
        : []),
    ],
    readProgress: async (name) => relays[name]?.progress(),
    findStreams,
    countRelayed: async (name) => {
      const streams = await findStreams(name);
      const { kind } = relayable[name];
      const rows = await Promise.all(
        streams.map((stream) => database.query(selectProgress({ kind, stream }))),
      );
      const counts = rows.map(([row]) => row?.relayed ?? 0);
      return counts.length === 0 ? undefined : Math.min(...counts);
    },
    countRelayedToViews: async () => {
      const own = views && names.stream;
      const rows = await Promise.all(
        (await findRecorded(relayedViews.stream, own)).map((stream) =>
          database.query(selectViewProgress(stream)),
        ),
      );
      const counts = rows.map(([row]) => row?.relayed ?? Number.MAX_SAFE_INTEGER);
      return counts.length === 0 ? undefined : Math.min(...counts);
    },
    whenRelaying: async (timeoutMs) => {
      // Without a view, nothing is relayed to views.
      await Promise.all(startedFeeds.map(({ relay }) => relay.whenRelaying(timeoutMs)));
    },
    restartAfter: async (work) => {
      await Promise.all(started.map((relay) => relay.close()));
      try {
        await work();
      } finally {
        for (const relay of started) relay.startAnew();
      }
    },
    remove: async () => {
      await Promise.all(started.map((relay) => relay.remove()));
    },
    close: async () => {
      for (const lag of lags) lag.close();
      await Promise.all(started.map((relay) => relay.close()));
    },
  };
}

function measuresOf(relay: Relay, name: string, readLag: () => Promise<number>): Measure[] {
  const prefix = `landfall_${name.replaceAll(' ', '_')}`;
  return [
    {
      name: `${prefix}_relay_lag`,
      help: `How many ${name} are not relayed to NATS yet, by any server`,
      read: readLag,
    },
    {
      name: `${prefix}_relaying`,
      help: `Whether this server is the one that relays ${name} to NATS`,
      read: async () => (relay.relaying ? 1 : 0),
    },
  ];
}
