// What relaying adds to a service.
import type { ServiceContext } from '../service-context.js';
import { type Relays, startRelays } from './relays.js';

/** What others may know of the relays. */
export type RelayModule = Pick<
  Relays,
  'readProgress' | 'findStreams' | 'streams' | 'whenRelaying' | 'restartAfter' | 'remove'
> & {
  /** The positions up to which goods-item events are relayed: also to every view, and whatever views have. */
  findRelayed: { everywhere: () => Promise<number>; exceptToViews: () => Promise<number> };
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
  const orAll = (count: number | undefined) => count ?? Number.MAX_SAFE_INTEGER;
  const exceptToViews = async () =>
    orAll(isAwaited ? await relays.countRelayed('goods-items') : undefined);
  const { readProgress, findStreams, streams, whenRelaying, restartAfter, remove } = relays;
  return {
    readProgress,
    findStreams,
    whenRelaying,
    streams,
    restartAfter,
    remove,
    findRelayed: {
      exceptToViews,
      everywhere: async () => {
        const toViews = isAwaited ? await relays.countRelayedToViews() : undefined;
        return Math.min(await exceptToViews(), orAll(toViews));
      },
    },
    findSignalStreams: async () => (isAwaited ? findStreams('routing-signals') : []),
  };
}
