// How many rows and bytes each table grows by, from the bytes of a row that were measured.
import { LEVELS } from './year.js';

/** What the rows of each table that grows with goods are counted by. */
const COUNTED_BY = {
  audit_record: 'presentations',
  entry_summary_declaration: 'declarations',
  feed_access: 'pages',
  goods_item: 'items',
  goods_item_event: 'itemEvents',
  house_consignment: 'parcels',
  house_consignment_container: 'containerParcels',
  issued_signal: 'lateSignals',
  level_presentation: 'groupPresentations',
  registration: 'declarations',
  routing_decision: 'decisions',
  routing_signal: 'signals',
  signal_recipient: 'signals',
  validation_status: 'presentations',
  validation_status_ens: 'groupPresentations',
};

/** Tables whose size does not depend on goods. */
const CONSTANT = [
  'audit_chain_end',
  'audit_removal',
  'audit_verification',
  'feed_state',
  'migration',
  'migration_progress',
  'organisation',
  'organisation_scope',
  'primary_history',
  'server_figures',
];

/** How many of each there are in a year. */
export function countsOf(goods, rates, values) {
  const yearOf = (wanted) => rates.find(({ name }) => name === wanted).year;
  const parcels = yearOf('parcels presented');
  return {
    parcels,
    declarations: parcels / values.parcelsPerDeclaration,
    containerParcels: goods.parcels[LEVELS.indexOf('container')],
    presentations: yearOf('presentations'),
    groupPresentations: yearOf('presentations') - goods.parcels[LEVELS.indexOf('house')],
    signals: yearOf('routing signals'),
    lateSignals: yearOf('routing signals') * values.decidedByAuthority * values.decidedLate,
    decisions: yearOf('decisions'),
    pages: yearOf('pages of signals'),
    itemEvents: yearOf('goods-item events'),
    items: parcels,
  };
}

/**
 * Rows and bytes of each table after a year.
 *
 * @param {Record<string, number>} counts
 * @param {Record<string, { rows: number, tableBytes: number, indexBytes: number }>} measured
 */
export function sizesOf(counts, measured) {
  return Object.entries(measured).flatMap(([table, { rows, tableBytes, indexBytes }]) => {
    if (CONSTANT.includes(table)) return [];
    const countedBy = COUNTED_BY[table];
    if (countedBy === undefined) {
      throw new Error(`${table} was measured: say in sizes.js what its rows are counted by`);
    }
    const count = counts[countedBy];
    return [
      {
        table,
        rows: count,
        rowBytes: (tableBytes + indexBytes) / rows,
        indexPart: indexBytes / (tableBytes + indexBytes),
      },
    ];
  });
}
