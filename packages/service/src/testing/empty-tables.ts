// Scripts that tests run to begin again with empty tables.

/** The audit trail, without a record in any chain but that of the rows that other tables have. */
export const emptyAuditTrail = `
  truncate audit_record, consignment_event, feed_access;
  update audit_chain_end set position = 0, digest = '', recorded_at = '-infinity';
  truncate audited_row_base;
  select accept_audited_rows();`;

/** All feeds, without an entry. */
export const emptyFeeds = `
  truncate feed_state, validation_status, validation_status_ens, routing_signal, goods_item_event, goods_item_expired;`;
