// Every kind of feed. What is done with all of them follows from this list: verification of the audit trail, the list of
// statements, and tests. A new kind is a file in its module, an entry here, and its table in `append_to_feeds`.
import type { FeedKind } from './feed/feed.js';
import { goodsItemEvents } from './goods-items/event-feed.js';
import { validationStatuses } from './presentation/status-feed.js';
import { routingSignals } from './routing/signal-feed.js';

export const feedKinds: readonly FeedKind[] = [validationStatuses, routingSignals, goodsItemEvents];

/** Kinds whose entries are covered by digests of the audit trail. */
export const auditedFeeds: readonly FeedKind[] = feedKinds.filter(({ audited }) => audited);

for (const kind of feedKinds) {
  const other = feedKinds.find(
    ({ number, table }) => number === kind.number || table === kind.table,
  );
  if (other !== kind) {
    throw new Error(`the feeds ${kind.name} and ${other?.name} have the same number or table`);
  }
}
