// Every kind of feed. The digests that verification compares, the list of statements, and tests follow from this list. A new
// kind is a file in its module, an entry here, and its table in `append_to_feeds`; CONTRIBUTING says what else it needs.
import type { FeedKind } from './feed/feed.js';
import { goodsItemEvents } from './goods-items/event-feed.js';
import { movementStatuses } from './movements/status-feed.js';
import { validationStatuses } from './presentation/status-feed.js';
import { routingSignals } from './routing/signal-feed.js';

export const feedKinds: readonly FeedKind[] = [
  validationStatuses,
  routingSignals,
  goodsItemEvents,
  movementStatuses,
];

for (const kind of feedKinds) {
  const other = feedKinds.find(
    ({ number, table }) => number === kind.number || table === kind.table,
  );
  if (other !== kind) {
    throw new Error(`the feeds ${kind.name} and ${other?.name} have the same number or table`);
  }
}
