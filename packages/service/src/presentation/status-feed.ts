// The feed of validation statuses: one for each organisation. The id of an entry is the requestId.
import type { FeedKind } from '../feed/feed.js';

export const validationStatuses = {
  number: 1,
  name: 'validation-statuses',
  table: 'validation_status',
  ids: 'given',
  audited: true,
  time: `(entry::json ->> 'notificationDate')::timestamptz`,
  startAgain: 'the oldest status, without a marker',
  expiry: { details: 'validation_status_ens' },
} satisfies FeedKind;
