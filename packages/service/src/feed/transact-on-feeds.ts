// Transactions that lock feeds. One that finds an organisation held gives up its locks and its session, waits until that
// organisation is free, and runs again.
import { Postponed } from '../database/batch.js';
import type { Database, Lane, Statement, Transaction } from '../database/database.js';
import { isRetryable, OverloadedError } from '../database/errors.js';
import { type LockedRow, lockFeeds } from './lock-queries.js';
import { LOCK_TIMEOUT_MS, releasesOf, TURN_TIMEOUT_MS } from './organisation-locks.js';

/** How often a transaction that failed because of a concurrent one is run again before its error is reported. */
const MAX_RETRIES = 20;

/** How long a transaction waits for organisations that others have locked, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** A transaction that may lock feeds. Only the functions of this file make one, because only they know what to do if a feed is held. */
export type FeedTransaction = Transaction & {
  /**
   * Locks the feeds of organisations until the end of the transaction.
   *
   * @param organisations their numbers, or a statement that finds and locks them (`lock_in_order`)
   * @returns those that are locked: all of them, because otherwise the transaction ends here
   */
  lock(organisations: readonly number[] | Statement<LockedRow>): Promise<readonly number[]>;
};

/** What was read before the locks were taken has changed: the transaction is rolled back and run again. */
export class ChangedMeanwhileError extends Error {
  readonly code = 'CHANGED_MEANWHILE';
  override name = 'ChangedMeanwhileError';
}

/** Another transaction holds the lock of an organisation. */
class OrganisationHeldError extends Error {
  override name = 'OrganisationHeldError';
  readonly organisation: number;

  constructor(organisation: number) {
    super(`another transaction holds the lock of organisation ${organisation}`);
    this.organisation = organisation;
  }
}

/**
 * Runs the work in one transaction, and again if a concurrent transaction was in the way.
 *
 * @throws OverloadedError if an organisation is held for too long
 */
export async function transactOnFeeds<Result>(
  database: Database,
  work: (transaction: FeedTransaction) => Promise<Result>,
  lane?: Lane,
): Promise<Result> {
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  const attempts = {};
  for (;;) {
    const result = await tryOnFeeds(database, work, { lane, attempts });
    if (!(result instanceof Postponed)) return result;
    if (performance.now() > waitsUntil) {
      throw new OverloadedError('another transaction has held an organisation for too long');
    }
    await result.until;
  }
}

/** The organisation for which work has waited, by what identifies its attempts. */
const heldBefore = new WeakMap<object, number>();

/**
 * The same, but does not wait for an organisation that is held: nothing was done then.
 *
 * @param options `attempts`: identifies the work. When it is tried again, it takes its turn for the organisation that was held
 */
export async function tryOnFeeds<Result>(
  database: Database,
  work: (transaction: FeedTransaction) => Promise<Result>,
  { lane, attempts }: { lane?: Lane | undefined; attempts: object },
): Promise<Result | Postponed> {
  for (let retries = 0; ; retries++) {
    try {
      const held = heldBefore.get(attempts);
      return await database.transact((transaction) => work(withLocks(transaction, held)), lane);
    } catch (error) {
      if (error instanceof OrganisationHeldError) {
        heldBefore.set(attempts, error.organisation);
        return new Postponed(releasesOf(database).wait(error.organisation));
      }
      const canRetry = isRetryable(error) || error instanceof ChangedMeanwhileError;
      if (!canRetry || retries >= MAX_RETRIES) throw error;
    }
  }
}

/** @param held the organisation that was not free before */
function withLocks(transaction: Transaction, held?: number): FeedTransaction {
  let turn = held;
  const lock = async (organisations: readonly number[] | Statement<LockedRow>) => {
    if (turn !== undefined) await transaction.query(lockFeeds([turn], TURN_TIMEOUT_MS));
    turn = undefined;
    const statement =
      'text' in organisations ? organisations : lockFeeds(organisations, LOCK_TIMEOUT_MS);
    const [row] = await transaction.query(statement);
    const locked = new Set(row?.locked);
    const missing = row?.organisations.find((organisation) => !locked.has(organisation));
    if (missing !== undefined) throw new OrganisationHeldError(missing);
    return [...locked];
  };
  return { ...transaction, lock };
}
