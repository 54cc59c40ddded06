// The feed of validation statuses: one an organisation; an entry's id is the requestId that it spent.
import type { FeedKind } from '../feed/feed.js';

export const validationStatuses: FeedKind = {
  number: 1,
  table: 'validation_status',
  ids: 'given',
};
