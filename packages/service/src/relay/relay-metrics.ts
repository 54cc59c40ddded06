// The names of the metrics of a relay.
import type { RelayName } from '@landfall/contract';

/** How much is not relayed yet, and whether the server relays it. */
export function relayMetrics(name: RelayName): { lag: string; relaying: string } {
  const prefix = `landfall_${name.replaceAll('-', '_')}`;
  return { lag: `${prefix}_relay_lag`, relaying: `${prefix}_relaying` };
}
