// The feed of routing signals: one an organisation; an entry's id is the marker that readers go on from.
import type { FeedKind } from '../feed/feed.js';

export const routingSignals: FeedKind = {
  number: 2,
  table: 'routing_signal',
  ids: 'minted',
};
