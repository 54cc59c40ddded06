// The feed of validation statuses: one for each organisation. The id of an entry is the requestId.
import type { FeedKind } from '../feed/feed.js';

export const validationStatuses: FeedKind = {
  number: 1,
  table: 'validation_status',
  ids: 'given',
};
