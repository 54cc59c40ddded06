// The feed of routing signals: one for each organisation. The id of an entry is the marker from which readers resume.
import type { FeedKind } from '../feed/feed.js';

export const routingSignals = {
  number: 2,
  name: 'routing-signals',
  table: 'routing_signal',
  ids: 'minted',
  audited: true,
  startAgain: 'the oldest signal, without a marker',
  expiry: { time: `(entry::json #>> '{routingResult,documentIssueDate}')::timestamptz` },
} satisfies FeedKind;
