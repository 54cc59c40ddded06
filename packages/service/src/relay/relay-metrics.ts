// The names of the metrics of each relay.
import type { RelayName } from '@landfall/contract';

/** How much is not relayed yet, and whether the server relays it. They are whole, so that a search finds them. */
export const relayMetrics: Readonly<Record<RelayName, { lag: string; relaying: string }>> = {
  'goods-items': {
    lag: 'landfall_goods_items_relay_lag',
    relaying: 'landfall_goods_items_relaying',
  },
  'routing-signals': {
    lag: 'landfall_routing_signals_relay_lag',
    relaying: 'landfall_routing_signals_relaying',
  },
  'goods-item-views': {
    lag: 'landfall_goods_item_views_relay_lag',
    relaying: 'landfall_goods_item_views_relaying',
  },
};
