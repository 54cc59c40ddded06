// The feed of validation statuses: one for each organisation. The id of an entry is the requestId.
import type { ExpiringFeed, FeedKind } from '../feed/feed.js';

export const validationStatuses: FeedKind = {
  number: 1,
  table: 'validation_status',
  ids: 'given',
  startAgain: 'the oldest status, without a marker',
};

/** How old statuses are removed. */
export const expiringStatuses: ExpiringFeed = {
  kind: validationStatuses,
  time: `(entry::json ->> 'notificationDate')::timestamptz`,
  details: 'validation_status_ens',
};
