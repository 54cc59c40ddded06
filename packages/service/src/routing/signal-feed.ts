// The feed of routing signals: one for each organisation. The id of an entry is the marker from which readers resume.
import type { ExpiringFeed, FeedKind } from '../feed/feed.js';

export const routingSignals: FeedKind = {
  number: 2,
  table: 'routing_signal',
  ids: 'minted',
  startAgain: 'the oldest signal, without a marker',
};

/** How old signals are removed. */
export const expiringSignals: ExpiringFeed = {
  kind: routingSignals,
  time: `(entry::json #>> '{routingResult,documentIssueDate}')::timestamptz`,
};
