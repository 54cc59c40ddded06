// The relays to NATS, and the figure of each that says how much is not relayed yet. One that is missing does not compile.
import type { RelayName, StatusPoint } from '@landfall/client';

export const relayLags = {
  'goods-items': ({ relayLag }) => relayLag,
  'goods-item-views': ({ viewRelayLag }) => viewRelayLag,
  'routing-signals': ({ signalRelayLag }) => signalRelayLag,
} as const satisfies { [name in RelayName]: (point: StatusPoint) => number | undefined };

// The cast is true because these are the names of the table.
export const relayNames = Object.keys(relayLags) as RelayName[];
