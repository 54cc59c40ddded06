// The relays of one server: which feeds are relayed, and what is measured of it.
import { type RelayName, relayNames, relays } from '@landfall/contract';
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { GoodsItemReader } from '../goods-items/goods-item-reader.js';
import { GoodsItemViews } from '../goods-items/goods-item-views.js';
import type { Measure } from '../metrics/measure.js';
import { type ProgressRow, selectProgress, selectRelayedStreams } from './queries.js';
import { type Relay, type RelaySettings, startRelay, startTask } from './relay.js';
import { RelayLag } from './relay-lag.js';
import { relayMetrics } from './relay-metrics.js';
import { relayViews } from './relay-views.js';
import {
  type RelayedFeeds,
  relayedGoodsItems,
  relayedSignals,
  relayedViews,
  withPrefix,
} from './relayed-feeds.js';
import { selectViewProgress } from './view-queries.js';

/** What is relayed: what a setting names, or everything. */
export type Relayed = (typeof relays)[RelayName]['setting'] | 'all';

/** The relays of all feeds of a kind. The others have their own way to say how much is relayed. */
const relayedFeeds = {
  'goods-items': relayedGoodsItems,
  'routing-signals': relayedSignals,
} as const satisfies { [name in RelayName]?: RelayedFeeds };

/** A relay that was started. */
type Started = {
  relay: Relay;
  stream: string;
  /** Whether there is always something to relay. Without a view, there is no stream of views. */
  isAlwaysNeeded: boolean;
  readLag: () => Promise<number>;
  stop: () => void;
};

/** The relays of this server, until they are closed. */
export type Relays = {
  measures: readonly Measure[];
  /** The streams to which this server relays, or would if it had the lock, whatever the data is. */
  streams: readonly string[];
  /** How much is relayed, and how much is not yet; `undefined` for what is not relayed, or need not be. */
  readProgress(name: RelayName): Promise<ProgressRow | undefined>;
  /**
   * The JetStream streams to which this server relays it and, by what is recorded, others do or did. Several are a wrong
   * configuration: servers have different prefixes, or the prefix was changed.
   */
  findStreams(name: RelayName): Promise<string[]>;
  /** How many entries each of these streams has had at least; `undefined` without one. */
  countRelayed(name: keyof typeof relayedFeeds): Promise<number | undefined>;
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
  const startFeeds = (feeds: RelayedFeeds): Started => {
    const named = withPrefix(feeds, settings.prefix);
    const lag = new RelayLag(database, watch, named);
    return {
      relay: startRelay(database, watch, named, settings),
      stream: named.stream,
      isAlwaysNeeded: true,
      readLag: () => lag.read(),
      stop: () => lag.close(),
    };
  };
  const startViews = (): Started => {
    const names = withPrefix(relayedViews, settings.prefix);
    const reader = new GoodsItemReader(database, new GoodsItemViews(database));
    const task = relayViews({ database, watch, names, reader });
    const relay = startTask(database, task, settings);
    return {
      relay,
      stream: names.stream,
      isAlwaysNeeded: false,
      readLag: async () => (await relay.progress()).lag,
      stop: () => undefined,
    };
  };
  const starts: { [name in RelayName]: () => Started } = {
    'goods-items': () => startFeeds(relayedFeeds['goods-items']),
    'goods-item-views': startViews,
    'routing-signals': () => startFeeds(relayedFeeds['routing-signals']),
  };
  const isConfigured = (name: RelayName) =>
    settings.natsUrl !== '' && (relayed === 'all' || relayed === relays[name].setting);
  const started = new Map(
    relayNames.filter(isConfigured).map((name) => [name, starts[name]()] as const),
  );
  const all = [...started.values()];
  const alwaysNeeded = all.filter(({ isAlwaysNeeded }) => isAlwaysNeeded);
  // Servers may be configured differently, and each of them may run retention.
  const findStreams = async (name: RelayName) => {
    const own = started.get(name)?.stream;
    const recorded = await database.query(selectRelayedStreams(relays[name].stream));
    const others = recorded.map(({ stream }) => stream);
    return [...new Set(own === undefined ? others : [own, ...others])].sort();
  };
  return {
    streams: alwaysNeeded.map(({ stream }) => stream),
    measures: [...started].flatMap(([name, one]) => measuresOf(name, one)),
    readProgress: async (name) => {
      const relay = started.get(name)?.relay;
      return relay?.needed ? relay.progress() : undefined;
    },
    findStreams,
    countRelayed: async (name) => {
      const streams = await findStreams(name);
      const { kind } = relayedFeeds[name];
      const rows = await Promise.all(
        streams.map((stream) => database.query(selectProgress({ kind, stream }))),
      );
      const counts = rows.map(([row]) => row?.relayed ?? 0);
      return counts.length === 0 ? undefined : Math.min(...counts);
    },
    countRelayedToViews: async () => {
      const streams = await findStreams('goods-item-views');
      const rows = await Promise.all(
        streams.map((stream) => database.query(selectViewProgress(stream))),
      );
      const counts = rows.map(([row]) => row?.relayed ?? Number.MAX_SAFE_INTEGER);
      return counts.length === 0 ? undefined : Math.min(...counts);
    },
    whenRelaying: async (timeoutMs) => {
      await Promise.all(alwaysNeeded.map(({ relay }) => relay.whenRelaying(timeoutMs)));
    },
    restartAfter: async (work) => {
      await Promise.all(all.map(({ relay }) => relay.close()));
      try {
        await work();
      } finally {
        for (const { relay } of all) relay.startAnew();
      }
    },
    remove: async () => {
      await Promise.all(all.map(({ relay }) => relay.remove()));
    },
    close: async () => {
      for (const { stop } of all) stop();
      await Promise.all(all.map(({ relay }) => relay.close()));
    },
  };
}

/** Nothing is measured of what need not be relayed. */
function measuresOf(name: RelayName, { relay, readLag }: Started): Measure[] {
  const { entries, unit } = relays[name];
  const metrics = relayMetrics[name];
  return [
    {
      name: metrics.lag,
      help: `How many ${entries} are not relayed to NATS yet, by any server; of views, those of the one that is furthest behind`,
      read: async () => (relay.needed ? readLag() : undefined),
    },
    {
      name: metrics.relaying,
      help: `Whether this server is the one that relays ${entries} to NATS`,
      read: async () => (relay.needed ? Number(relay.relaying) : undefined),
    },
    {
      name: metrics.held,
      help: `How many ${unit} wait because this server cannot relay them, though it relays others`,
      read: async () => (relay.needed ? relay.held : undefined),
    },
  ];
}
