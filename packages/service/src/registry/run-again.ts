// Runs a transaction of the registry again when it lost a race that it may well win the next time.
import type { Database, Lane, Transaction } from '../database/database.js';
import { isRetryable } from '../database/errors.js';

/** How often, before the error is told. */
const RETRIES = 5;

/** Somebody else has registered the same MRN at the same moment. */
export class DeclarationTakenError extends Error {
  override name = 'DeclarationTakenError';
}

/** As `database.transact`. */
export async function transactAgain<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  lane?: Lane,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transact(work, lane);
    } catch (error) {
      const passes = isRetryable(error) || error instanceof DeclarationTakenError;
      if (!passes || attempt > RETRIES) throw error;
    }
  }
}
