// Scripts that tests run to begin again with empty tables.
import { feedKinds } from '../feed-kinds.js';

/** The tables of every kind of feed. */
const feedTables = feedKinds.flatMap(({ table, expiry, expiredIds }) => [
  table,
  ...(expiry?.details === undefined ? [] : [expiry.details]),
  ...(expiredIds === undefined ? [] : [expiredIds]),
]);

/** The audit trail, without a record in any chain but that of the rows that other tables have. */
export const emptyAuditTrail = `
  truncate audit_record, consignment_event, feed_access;
  update audit_chain_end set position = 0, digest = '', recorded_at = '-infinity';
  truncate audited_row_base;
  select accept_audited_rows();`;

/** All feeds, without an entry. */
export const emptyFeeds = `
  truncate feed_state, ${feedTables.join(', ')};`;
