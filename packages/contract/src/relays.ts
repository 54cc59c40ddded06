// What is relayed to NATS: the list from which settings, figures, problems, metrics and the pages of all of them follow.
import { GOODS_ITEM_STREAM, GOODS_ITEM_VIEW_STREAM } from './goods-items/stream.js';
import { keysOf } from './keys-of.js';
import { ROUTING_SIGNAL_STREAM } from './routing-signal-stream.js';

/** What is known of a relay. */
type RelayKind = {
  /** The JetStream stream, without the prefix of an installation. */
  stream: string;
  /** The value of `LANDFALL_RELAY` with which it is relayed. `all` is with every relay. */
  setting: string;
  /** What is relayed, in sentences. */
  entries: string;
  /** Of what one alone may not be relayable, in sentences. */
  unit: string;
  /**
   * The figures of a server: how much is not relayed yet, whether this server relays it (1 or 0), and how many of its feeds or
   * views this server cannot relay, though it relays others.
   */
  lag: string;
  relaying: string;
  held: string;
};

/** Every relay, by its name. */
export const relays = {
  'goods-items': {
    stream: GOODS_ITEM_STREAM,
    setting: 'goods-items',
    entries: 'goods items',
    unit: 'streams of goods items',
    lag: 'relayLag',
    relaying: 'relaying',
    held: 'relayHeld',
  },
  'goods-item-views': {
    stream: GOODS_ITEM_VIEW_STREAM,
    // Whoever may read the stream in NATS may have a view.
    setting: 'goods-items',
    entries: 'goods items of views',
    unit: 'views',
    lag: 'viewRelayLag',
    relaying: 'relayingViews',
    held: 'viewRelayHeld',
  },
  'routing-signals': {
    stream: ROUTING_SIGNAL_STREAM,
    setting: 'routing-signals',
    entries: 'routing signals',
    unit: 'feeds of routing signals',
    lag: 'signalRelayLag',
    relaying: 'relayingSignals',
    held: 'signalRelayHeld',
  },
} as const satisfies Record<string, RelayKind>;

/** The name of a relay. */
export type RelayName = keyof typeof relays;

/** The names of all relays. */
export const relayNames: readonly RelayName[] = keysOf(relays);

/** The figures of a server about its relays. */
export type RelayFigure = (typeof relays)[RelayName]['lag' | 'relaying' | 'held'];

/** Their names. */
export const relayFigures: readonly RelayFigure[] = relayNames.flatMap((name) => [
  relays[name].lag,
  relays[name].relaying,
  relays[name].held,
]);
