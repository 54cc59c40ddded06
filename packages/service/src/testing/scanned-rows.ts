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
    const given = values.map((value) =>
      value === undefined || value === null
        ? 'null'
        : `'${value instanceof Date ? value.toISOString() : value}'`,
    );
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
