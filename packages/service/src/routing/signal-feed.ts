// The feed of routing signals: one for each organisation. The id of an entry is the marker from which readers resume.
import type { FeedKind } from '../feed/feed.js';

export const routingSignals: FeedKind = {
  number: 2,
  table: 'routing_signal',
  ids: 'minted',
};
