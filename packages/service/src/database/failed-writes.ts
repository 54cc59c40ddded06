// What the database refuses to this server whatever a request says: a full disk, a missing right, an object that is not in
// the state that writing needs.
import type { Statement, Transaction } from './database.js';
import { sqlStateOf, UnusableSessionError } from './errors.js';

/** The task that checks whether this is so. */
export const COMMITS_TASK = 'commits';

/** What prevents writing, by the SQLSTATE. */
export const writeFaults: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database is full',
  '42501': 'the role of this server lacks a right in the database',
  // A table that is published without an identity of its rows, or whose partition is being detached.
  '55000': 'an object of the database is not in the state that writing needs',
};

/** A statement that failed for such a reason after those before it in its transaction, and the schema of all. */
export type FailedWrite = {
  state: string;
  statements: readonly (Statement | string)[];
  schema: string | undefined;
};

/** How many statements are remembered; they are tried one after the other. */
const MAX_REMEMBERED = 10;

/** The statements that failed for such a reason, each until it succeeds. */
export class FailedWrites {
  /** By the text of the statement that failed; of several with this text, the last one. */
  readonly #failed = new Map<string, FailedWrite>();
  #begins: () => void = () => undefined;

  /** What has failed, and did not succeed since. */
  get all(): readonly FailedWrite[] {
    return [...this.#failed.values()];
  }

  /** Calls the handler, from now on, when the first statement fails. */
  onBegin(handle: () => void): void {
    this.#begins = handle;
  }

  /** Notes a statement if its SQLSTATE is one of these. */
  note(failed: FailedWrite): void {
    if (writeFaults[failed.state] === undefined) return;
    const isFirst = this.#failed.size === 0;
    const text = textOf(failed);
    if (this.#failed.has(text) || this.#failed.size < MAX_REMEMBERED)
      this.#failed.set(text, failed);
    if (isFirst) this.#begins();
  }

  end(succeeded: FailedWrite): void {
    this.#failed.delete(textOf(succeeded));
  }
}

function textOf({ statements }: FailedWrite): string {
  const last = statements.at(-1) ?? '';
  return typeof last === 'string' ? last : last.text;
}

/** How long the statement may take when it is tried again, in milliseconds. */
const RETRY_TIMEOUT_MS = 3000;

/** Ends the transaction in which a statement was tried. */
class TriedError extends Error {
  readonly code = 'TRIED';
  override name = 'TriedError';
}

/** A session for statements that are tried. */
type TrySession = {
  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    schema: string | undefined,
  ): Promise<Result>;
};

/** Why a statement fails. */
type Fault = { reason: string; cause: unknown };

/**
 * Runs each statement that has failed once more, and rolls it back. Whatever else is wrong with it now, such as a key that
 * is taken, is no reason to refuse requests.
 *
 * @returns why the first of them fails; `undefined` when all succeed, or nothing has failed
 */
export async function retryFailedWrites(
  failedWrites: FailedWrites,
  session: TrySession,
): Promise<Fault | undefined> {
  for (const failed of failedWrites.all) {
    const fault = await retry(failed, session);
    if (fault !== undefined) return fault;
    failedWrites.end(failed);
  }
  return undefined;
}

async function retry(
  { statements, schema }: FailedWrite,
  session: TrySession,
): Promise<Fault | undefined> {
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
  return undefined;
}
