// Checks the tables that the audit trail covers: each row is in the trail, each that is in the trail is in its table, and
// columns that are derived from others are what these say.
import type { Queryable } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';
import type { AuditBreak, RowBase } from './read-record.js';
import {
  type DifferingRow,
  feedStateRule,
  rowRules,
  selectContradicting,
  selectDifferences,
  selectRowBase,
} from './row-queries.js';

/** Maximum number of breaks that are reported of one kind: a changed schema makes every row of a table differ. */
const MAX_BREAKS = 1000;

/**
 * Finds the rows that were changed, removed or added in another way than by Landfall.
 *
 * @param kinds every kind of feed
 * @param base what the last record says of the rows that records do not have; `undefined` if no record says it
 */
export async function checkRows(
  database: Queryable,
  kinds: readonly FeedKind[],
  base: RowBase | undefined,
): Promise<AuditBreak[]> {
  const breaks = (await database.query(selectDifferences(MAX_BREAKS))).map(toBreak);
  const [stored] = await database.query(selectRowBase);
  if (base === undefined ? stored?.rows !== 0 : stored?.digest !== base.digest) {
    const problem =
      'the rows of which records were removed are not those that a record has a digest of';
    breaks.push({ chain: 0, position: 0, code: 'ROW_CHANGED', problem });
  }
  for (const rule of [...rowRules, feedStateRule(kinds)]) {
    for (const { key } of await database.query(selectContradicting(rule, MAX_BREAKS))) {
      const problem = `${rule.table} ${key}: ${rule.problem}`;
      breaks.push({ chain: 0, position: 0, code: 'ROW_CHANGED', problem });
    }
  }
  return breaks;
}

function toBreak({ table, chain, position, rows, key }: DifferingRow): AuditBreak {
  if (rows < 0) {
    const problem = `${table} ${key ?? 'of before'}: the trail does not have this row as it is`;
    return { chain: 0, position: 0, code: 'ROW_UNKNOWN', problem };
  }
  return {
    chain: chain ?? 0,
    position: position ?? 0,
    code: 'ROW_CHANGED',
    problem: `a row of ${table} that it has was changed or removed`,
  };
}
