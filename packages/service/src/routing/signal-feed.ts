// The feed of routing signals: one for each organisation. The id of an entry is the marker from which readers resume.
import type { FeedKind } from '../feed/feed.js';

export const routingSignals = {
  number: 2,
  name: 'routing-signals',
  table: 'routing_signal',
  ids: 'minted',
  audited: true,
  time: `(entry::json #>> '{routingResult,documentIssueDate}')::timestamptz`,
  startAgain: 'the oldest signal, without a marker',
  expiry: {},
} satisfies FeedKind;
