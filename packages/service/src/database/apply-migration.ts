// Applies one migration: in a transaction, as an index that is built outside one, or in batches with a commit each.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Statement, Transaction } from './database.js';
import { isDeadlock, isLockTimeout } from './errors.js';
import { type Backfill, type Migration, MigrationFormatError } from './migration-files.js';
import {
  type BackfillProgress,
  deleteBackfillProgress,
  insertMigration,
  recordMigratedRows,
  saveBackfillProgress,
  selectBackfillProgress,
  selectEstimatedRows,
  selectIndexState,
  selectNotedRows,
} from './queries.js';
import { previousVersion } from './releases.js';

/** Others held a lock that a migration needs, for as long as it was tried. */
export class MigrationBlockedError extends Error {
  readonly code = 'MIGRATION_BLOCKED';
  override name = 'MigrationBlockedError';
}

/** How a run of migrations goes, in lines for the person who watches it. */
export type ReportProgress = (line: string) => void;

/**
 * How long a migration waits for one lock, in milliseconds: while it waits, everybody who wants the same table waits
 * behind it.
 */
const LOCK_TIMEOUT_MS = 2000;

/** How often it is tried, and how long others have the table in between, in milliseconds. */
const MAX_ATTEMPTS = 30;
const BETWEEN_ATTEMPTS_MS = 3000;

/** Rows of a batch: they are locked together, for some tenths of a second. */
export const BATCH_ROWS = 5000;

/** How often the progress of batches is reported, in milliseconds. */
const REPORT_INTERVAL_MS = 5000;

/** Applies a migration and records it. Throws MigrationBlockedError. */
export async function applyMigration(
  database: Database,
  migration: Migration,
  report: ReportProgress,
): Promise<void> {
  const { backfill, concurrentIndex, script } = migration;
  if (backfill !== undefined) await applyInBatches(database, migration, backfill, report);
  else if (concurrentIndex !== undefined)
    await buildIndex(database, migration, concurrentIndex, report);
  else
    await transact(database, migration, report, async (transaction) => {
      await transaction.run(script);
      await transaction.query(record(migration));
    });
}

/** Runs work in a transaction that waits briefly for locks, again if it did not get them. */
async function transact<Result>(
  database: Database,
  { name, locks }: Migration,
  report: ReportProgress,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transact(async (transaction) => {
        await transaction.run(
          `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`,
        );
        return work(transaction);
      });
    } catch (error) {
      // Batches lock rows that requests lock too, in another order.
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (attempt >= MAX_ATTEMPTS) {
        throw new MigrationBlockedError(
          `${name} did not get its locks in ${MAX_ATTEMPTS} attempts: end what holds ${locks}, and run it again`,
          { cause: error },
        );
      }
      report(`${name} waits for a lock, attempt ${attempt} of ${MAX_ATTEMPTS}`);
      await delay(BETWEEN_ATTEMPTS_MS);
    }
  }
}

/** An index whose building was interrupted is there and not valid: it is dropped and built again. */
async function buildIndex(
  database: Database,
  migration: Migration,
  index: string,
  report: ReportProgress,
): Promise<void> {
  const [found] = await database.query(selectIndexState(index));
  if (found?.valid === false) {
    report(`${migration.name}: removing ${index}, which an interrupted run left unfinished`);
    await database.query(statement(`drop index concurrently ${index}`));
  }
  if (!found?.valid) await database.query(statement(migration.script));
  await database.query(record(migration));
}

/** Each batch is committed together with its position, after which the next run continues. */
async function applyInBatches(
  database: Database,
  migration: Migration,
  { table, statement: text }: Backfill,
  report: ReportProgress,
): Promise<void> {
  const { name } = migration;
  const [saved] = await database.query(selectBackfillProgress(name));
  const [estimate] = await database.query(selectEstimatedRows(table));
  const about = estimate === undefined || estimate.rows <= 0 ? '' : ` of about ${estimate.rows}`;
  let { position, rows } = saved ?? { position: null, rows: 0 };
  if (saved !== undefined) report(`${name} continues after ${rows} rows`);
  const [began, before] = [performance.now(), rows];
  const describe = () => {
    const rate = Math.round((1000 * (rows - before)) / (performance.now() - began));
    return `${name}: ${rows}${about} rows, ${rate} rows/s`;
  };
  for (let reported = Number.NEGATIVE_INFINITY; ; ) {
    const last = await transact(database, migration, report, async (transaction) => {
      const [batch] = await transaction.query<BackfillProgress>({
        name: '',
        text,
        values: [position, BATCH_ROWS],
      });
      if (batch === undefined || batch.position === null) {
        await transaction.query(deleteBackfillProgress(name));
        await transaction.query(record(migration));
        return undefined;
      }
      if (batch.position === position)
        throw new MigrationFormatError(`${name} returns the same position again: ${position}`);
      const [noted] = await transaction.query(selectNotedRows);
      if (noted !== undefined) await transaction.query(recordMigratedRows);
      const next = { position: batch.position, rows: rows + batch.rows };
      await transaction.query(saveBackfillProgress(name, next));
      return next;
    });
    if (last === undefined) break;
    ({ position, rows } = last);
    if (performance.now() - reported < REPORT_INTERVAL_MS) continue;
    reported = performance.now();
    report(describe());
  }
  report(describe());
}

function record({ name, digest }: Migration): Statement {
  return insertMigration(name, digest, previousVersion);
}

function statement(text: string): Statement {
  return { name: '', text, values: [] };
}
