// Runs a transaction of the registry again if it failed because of a concurrent transaction.
import type { Database, Lane, Transaction } from '../database/database.js';
import { isRetryable, OverloadedError } from '../database/errors.js';
import { OrganisationHeldError, OrganisationReleases } from '../feed/organisation-locks.js';

/** Maximum number of retries before the error is reported. */
const MAX_RETRIES = 5;

/** How long a transaction waits for organisations that others have locked, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** A concurrent registration has added the same MRN. */
export class DeclarationTakenError extends Error {
  override name = 'DeclarationTakenError';
}

/**
 * Like `database.transact`, with retries. If the work needs an organisation that another transaction has locked, it is
 * rolled back, waits for that lock without a session or locks, and runs again with that organisation as `held`.
 *
 * @throws OverloadedError if it has waited too long
 */
export async function transactWithRetries<Result>(
  database: Database,
  work: (transaction: Transaction, held?: number) => Promise<Result>,
  lane?: Lane,
): Promise<Result> {
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  let held: number | undefined;
  for (let retries = 0; ; ) {
    try {
      return await database.transact((transaction) => work(transaction, held), lane);
    } catch (error) {
      if (error instanceof OrganisationHeldError) {
        if (performance.now() > waitsUntil) {
          const message = 'another transaction has held an organisation for too long';
          throw new OverloadedError(message, { cause: error });
        }
        held = error.organisation;
        await new OrganisationReleases(database.lookUps).wait(held);
        continue;
      }
      const canRetry = isRetryable(error) || error instanceof DeclarationTakenError;
      if (!canRetry || retries++ >= MAX_RETRIES) throw error;
    }
  }
}
