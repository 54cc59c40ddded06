// Exports decisions as lines, each with the bytes of which the audit trail has a digest, and the record that has it.
import { open, rm } from 'node:fs/promises';
import { AuditFileError } from '../audit/month-file.js';
import type { NamedEnd } from '../audit/read-record.js';
import type { Database } from '../database/database.js';
import { codeOf } from '../native-error.js';
import {
  collectRecords,
  type DecisionPlace,
  MAKE_RECORDS,
  selectChainEnds,
  selectExported,
} from './decision-export-queries.js';

/** Decisions that are read at once. */
const PAGE_SIZE = 500;

/** How much later than its record a decision may say that it was made, in milliseconds: never, by one clock. */
const CLOCK_MS = 24 * 3600 * 1000;

/** Decisions of a time, and the file that gets them. */
export type DecisionExport = {
  from: Date;
  to: Date;
  file: string;
  /** Called with the number of decisions that were written. */
  onProgress?: (decisions: number) => void;
};

/**
 * What was exported, also the last line of the file: without it, the file is not whole. `withoutRecord`: decisions of
 * which retention has removed the record, or that were accepted as they are.
 */
export type DecisionSummary = {
  from: string;
  to: string;
  decisions: number;
  withoutRecord: number;
  /** Where the chains ended. */
  ends: NamedEnd[];
};

/**
 * Writes the decisions that were made in a time, all of one moment, in the order in which they were made.
 *
 * @throws AuditFileError when the file exists or cannot be written
 */
export async function exportDecisions(
  database: Database,
  { from, to, file, onProgress = () => undefined }: DecisionExport,
): Promise<DecisionSummary> {
  const target = await open(file, 'wx').catch((error: unknown) => {
    const exists = codeOf(error) === 'EEXIST';
    throw exists ? new AuditFileError(`${file} exists: nothing was changed`) : error;
  });
  try {
    const summary = await database.transact(async (transaction) => {
      await transaction.run(`set transaction isolation level repeatable read; ${MAKE_RECORDS}`);
      await transaction.query(collectRecords(new Date(from.getTime() - CLOCK_MS)));
      let [decisions, withoutRecord] = [0, 0];
      for (let after: DecisionPlace | undefined; ; ) {
        const rows = await transaction.query(selectExported(from, to, after, PAGE_SIZE));
        after = rows.at(-1);
        if (after === undefined) break;
        await target.appendFile(rows.map(({ line }) => `${line}\n`).join(''));
        decisions += rows.length;
        withoutRecord += rows.filter(({ hasRecord }) => !hasRecord).length;
        onProgress(decisions);
      }
      const ends = await transaction.query(selectChainEnds);
      return { from: from.toISOString(), to: to.toISOString(), decisions, withoutRecord, ends };
    }, 'maintenance');
    await target.appendFile(`${JSON.stringify({ summary })}\n`);
    await target.sync();
    await target.close();
    return summary;
  } catch (error) {
    await target.close();
    await rm(file, { force: true });
    throw error;
  }
}
