// How many rows the plan of a statement reads from tables and indexes.
import assert from 'node:assert/strict';
import type { Database, Statement } from '../database/database.js';

type Plan = {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/**
 * Runs a statement and counts the rows that it scans, by the plan for its values or the generic plan, whichever scans
 * more.
 *
 * @param before what runs before it in its transaction
 */
export function countScannedRows(
  database: Database,
  { text, values }: Pick<Statement, 'text' | 'values'>,
  before = '',
): Promise<number> {
  return database.transact(async (transaction) => {
    if (before !== '') await transaction.run(before);
    await transaction.run(`prepare counted as ${text}`);
    const given = values.map((value) =>
      value === undefined || value === null
        ? 'null'
        : `'${value instanceof Date ? value.toISOString() : value}'`,
    );
    const rows: number[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await transaction.run(`set local plan_cache_mode = ${mode}`);
      const [explained] = await transaction.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({
        name: '',
        text: `explain (analyze, format json) execute counted (${given.join(', ')})`,
        values: [],
      });
      rows.push(scannedRows(explained?.['QUERY PLAN'][0]?.Plan ?? assert.fail()));
    }
    await transaction.run('deallocate counted');
    return Math.max(...rows);
  });
}

function scannedRows(plan: Plan): number {
  const own = /Scan$/.test(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0;
  return own + (plan.Plans ?? []).reduce((rows, child) => rows + scannedRows(child), 0);
}
