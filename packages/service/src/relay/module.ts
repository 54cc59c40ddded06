// What relaying adds to a service.
import type { ServiceContext } from '../service-context.js';
import { type Relays, startRelays } from './relays.js';

/** What others may know of the relays. */
export type RelayModule = Pick<
  Relays,
  'readProgress' | 'findStreams' | 'streams' | 'whenRelaying' | 'restartAfter' | 'remove'
> & {
  /** The position up to which goods-item events may be removed. */
  findRelayed: () => Promise<number>;
  /** Gives the JetStream streams that must have a signal before it is removed. */
  findSignalStreams: () => Promise<readonly string[]>;
};

export function addRelays({
  database,
  config,
  feeds,
  measures,
  jobs,
  http,
}: ServiceContext): RelayModule {
  const relays = startRelays(database, feeds.watch, config.relay, {
    natsUrl: config.natsUrl,
    prefix: config.natsPrefix === 'none' ? '' : config.natsPrefix,
    replicas: config.relayReplicas,
    log: http.app.log,
  });
  // Another server, or the next start, relays the rest.
  jobs.follow(relays, { endsFirst: true, close: () => relays.close() });
  measures.push(...relays.measures);
  const isAwaited = config.retentionWaitsForRelay === 'on';
  const { readProgress, findStreams, streams, whenRelaying, restartAfter, remove } = relays;
  return {
    readProgress,
    findStreams,
    whenRelaying,
    streams,
    restartAfter,
    remove,
    findRelayed: async () => {
      if (!isAwaited) return Number.MAX_SAFE_INTEGER;
      const counts = [await relays.countRelayed('goods-items'), await relays.countRelayedToViews()];
      return Math.min(...counts.map((count) => count ?? Number.MAX_SAFE_INTEGER));
    },
    findSignalStreams: async () => (isAwaited ? findStreams('routing-signals') : []),
  };
}
