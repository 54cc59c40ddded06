// Which tables would be distributed, and by what, if organisations were spread over several database servers.

/**
 * - `organisation`: by the column with the organisation.
 * - `declarant`: by the declarant of the declaration, a column that the table does not have yet.
 * - `chain`: by the chain of the audit trail.
 * - `stream`: the stream of goods items has one order for the whole installation, so it stays on one server.
 * - `everywhere`: small, and a copy on every server.
 *
 * @typedef {'organisation' | 'declarant' | 'chain' | 'stream' | 'everywhere'} Distribution
 */

/** @type {Record<string, Distribution>} */
const tables = {
  audit_chain_end: 'chain',
  audit_record: 'chain',
  audit_removal: 'everywhere',
  audit_verification: 'everywhere',
  client: 'everywhere',
  code_list_import: 'everywhere',
  consignment_event: 'declarant',
  console_logout: 'everywhere',
  console_session: 'everywhere',
  customs_office: 'everywhere',
  entry_summary_declaration: 'declarant',
  feed_access: 'organisation',
  feed_state: 'organisation',
  goods_item: 'stream',
  goods_item_event: 'stream',
  goods_item_expired: 'stream',
  goods_item_relay: 'stream',
  house_consignment: 'declarant',
  house_consignment_container: 'declarant',
  issued_signal: 'organisation',
  level_presentation: 'organisation',
  migration: 'everywhere',
  migration_progress: 'everywhere',
  organisation: 'everywhere',
  organisation_scope: 'everywhere',
  removed_client: 'everywhere',
  seal_client: 'everywhere',
  primary_history: 'everywhere',
  registration: 'declarant',
  routing_decision: 'declarant',
  routing_profile: 'everywhere',
  routing_signal: 'organisation',
  server_figures: 'everywhere',
  signal_recipient: 'organisation',
  used_grant: 'everywhere',
  validation_status: 'organisation',
  validation_status_ens: 'organisation',
};

/** The columns that contain the organisation by which a table would be distributed. */
const ORGANISATION_COLUMNS = ['owner', 'organisation_id', 'presenter'];

/**
 * How a table would be distributed. One that is not listed is by organisation if it has a column for it.
 *
 * @param {{ name: string, columns: string[] }} table
 * @returns {Distribution}
 */
export function distributionOf({ name, columns }) {
  const listed = tables[name];
  if (listed !== undefined) return listed;
  return columns.some((column) => ORGANISATION_COLUMNS.includes(column))
    ? 'organisation'
    : 'everywhere';
}
