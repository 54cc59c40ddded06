// How many rows a statement reads from tables and indexes.
import type { Database, Statement, Transaction } from '../database/database.js';

/**
 * Runs a statement and counts the rows that it scans, those of database functions too, by the plan for its values or the
 * generic plan, whichever scans more.
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
    const given = values.map(literal);
    const rows: number[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await transaction.run(`set local plan_cache_mode = ${mode}; savepoint counted`);
      const scanned = await readScanned(transaction);
      await transaction.run(`execute counted (${given.join(', ')})`);
      rows.push((await readScanned(transaction)) - scanned);
      await transaction.run('rollback to counted');
    }
    await transaction.run('deallocate counted');
    return Math.max(...rows);
  });
}

/**
 * Runs a statement by its generic plan and counts the rows that the steps of the plan give, or compare and leave out: those
 * of parts of the statement too, which it does not read from a table. What it writes is rolled back.
 *
 * @param before a statement that runs before it in its transaction
 */
export function countProcessedRows(
  database: Database,
  { text, values }: Pick<Statement, 'text' | 'values'>,
  before?: Statement,
): Promise<number> {
  return database.transact(async (transaction) => {
    await transaction.run(`savepoint counted; prepare counted as ${text}`);
    if (before !== undefined) await transaction.query(before);
    await transaction.run('set local plan_cache_mode = force_generic_plan');
    const [row] = await transaction.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
      name: '',
      text: `explain (analyze, timing off, format json) execute counted (${values.map(literal).join(', ')})`,
      values: [],
    });
    await transaction.run('deallocate counted; rollback to counted');
    return row === undefined ? 0 : processedRows(row['QUERY PLAN'][0].Plan);
  });
}

/** A step of a plan, as `explain` gives it. The rows are those of one loop. */
type PlanNode = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

function processedRows(node: PlanNode): number {
  const rows =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0);
  return (node.Plans ?? []).reduce(
    (sum, part) => sum + processedRows(part),
    rows * node['Actual Loops'],
  );
}

function literal(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return `'{${value.join()}}'`;
  return `'${value instanceof Date ? value.toISOString() : value}'`;
}

/** The rows that this transaction has read by scanning tables and indexes, without those of the catalogue. */
async function readScanned(transaction: Transaction): Promise<number> {
  const [row] = await transaction.query<{ rows: number }>({
    name: '',
    text: `
      select sum(pg_stat_get_xact_tuples_returned(oid))::integer as rows
      from pg_class where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
    values: [],
  });
  return row?.rows ?? 0;
}
