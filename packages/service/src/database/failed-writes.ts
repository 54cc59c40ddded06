// What the database refuses to this server whatever a request says: a full disk, a missing right.
import type { Statement, Transaction } from './database.js';
import { sqlStateOf, UnusableSessionError } from './errors.js';

/** The task that checks whether this is so. */
export const COMMITS_TASK = 'commits';

/** What prevents writing, by the SQLSTATE. */
export const writeFaults: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database is full',
  '42501': 'the role of this server lacks a right in the database',
};

/** A statement that failed for such a reason after those before it in its transaction, and the schema of all. */
export type FailedWrite = {
  state: string;
  statements: readonly (Statement | string)[];
  schema: string | undefined;
};

/** The last statement that failed for such a reason, until it succeeds. */
export class FailedWrites {
  #failed: FailedWrite | undefined;
  #begins: () => void = () => undefined;

  /** What failed; `undefined`: nothing since the last success. */
  get current(): FailedWrite | undefined {
    return this.#failed;
  }

  /** Calls the handler, from now on, when the first statement fails. */
  onBegin(handle: () => void): void {
    this.#begins = handle;
  }

  /** Notes a statement if its SQLSTATE is one of these. */
  note(failed: FailedWrite): void {
    if (writeFaults[failed.state] === undefined) return;
    const isFirst = this.#failed === undefined;
    this.#failed = failed;
    if (isFirst) this.#begins();
  }

  end(): void {
    this.#failed = undefined;
  }
}

/** How long the statement may take when it is tried again, in milliseconds. */
const RETRY_TIMEOUT_MS = 3000;

/** Ends the transaction in which a statement was tried. */
class TriedError extends Error {
  readonly code = 'TRIED';
  override name = 'TriedError';
}

/**
 * Runs the statement that failed last once more, and rolls it back. Whatever else is wrong with it now, such as a key that
 * is taken, is no reason to refuse requests.
 *
 * @returns why it fails; `undefined` when it succeeds, or nothing has failed
 */
export async function retryFailedWrite(
  failedWrites: FailedWrites,
  session: {
    transact<Result>(
      work: (transaction: Transaction) => Promise<Result>,
      schema: string | undefined,
    ): Promise<Result>;
  },
): Promise<{ reason: string; cause: unknown } | undefined> {
  const failed = failedWrites.current;
  if (failed === undefined) return undefined;
  const { statements, schema } = failed;
  try {
    await session.transact(async (transaction) => {
      await transaction.run(`set local statement_timeout = ${RETRY_TIMEOUT_MS}`);
      for (const statement of statements) {
        if (typeof statement === 'string') await transaction.run(statement);
        else await transaction.query(statement);
      }
      throw new TriedError();
    }, schema);
  } catch (error) {
    const reason = writeFaults[sqlStateOf(error) ?? ''];
    if (reason !== undefined) return { reason, cause: error };
    if (error instanceof UnusableSessionError) throw error;
  }
  failedWrites.end();
  return undefined;
}
