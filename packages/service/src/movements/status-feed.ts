// The feed of the statuses of requests about movement messages: one for each organisation. The id of an entry is the requestId.
import type { FeedKind } from '../feed/feed.js';

export const movementStatuses = {
  number: 7,
  name: 'movement-statuses',
  table: 'movement_status',
  ids: 'given',
  audited: true,
  time: `(entry::json ->> 'notificationDate')::timestamptz`,
  startAgain: 'the oldest status, without a marker',
  expiry: {},
} satisfies FeedKind;
