// The names of the metrics of each relay.
import type { RelayName } from '@landfall/contract';

/** How much is not relayed yet, whether the server relays it, and of how much alone it cannot. A search finds whole names. */
export const relayMetrics: Readonly<
  Record<RelayName, { lag: string; relaying: string; held: string }>
> = {
  'goods-items': {
    lag: 'landfall_goods_items_relay_lag',
    relaying: 'landfall_goods_items_relaying',
    held: 'landfall_goods_items_relay_held',
  },
  'routing-signals': {
    lag: 'landfall_routing_signals_relay_lag',
    relaying: 'landfall_routing_signals_relaying',
    held: 'landfall_routing_signals_relay_held',
  },
  'goods-item-views': {
    lag: 'landfall_goods_item_views_relay_lag',
    relaying: 'landfall_goods_item_views_relaying',
    held: 'landfall_goods_item_views_relay_held',
  },
};
