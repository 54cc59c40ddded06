// Runs a transaction of the registry again when it lost a race that it may well win the next time.
import type { Database, Lane, Transaction } from '../database/database.js';
import { isRetryable, OverloadedError } from '../database/errors.js';
import { OrganisationHeldError, OrganisationReleases } from '../feed/organisation-locks.js';

/** How often, before the error is reported. */
const RETRIES = 5;

/** How long a registration waits for organisations that others hold, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Somebody else has registered the same MRN at the same moment. */
export class DeclarationTakenError extends Error {
  override name = 'DeclarationTakenError';
}

/**
 * As `database.transact`. Where the work finds an organisation held it is rolled back, waits until that one is free
 * with neither a session nor a lock, and runs again.
 *
 * @throws OverloadedError when it has waited too long
 */
export async function transactAgain<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  lane?: Lane,
): Promise<Result> {
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  for (let attempt = 1; ; ) {
    try {
      return await database.transact(work, lane);
    } catch (error) {
      if (error instanceof OrganisationHeldError) {
        if (performance.now() > waitsUntil) {
          const message = 'another transaction has held an organisation for too long';
          throw new OverloadedError(message, { cause: error });
        }
        await new OrganisationReleases(database.lookUps).wait(error.organisation);
        continue;
      }
      const passes = isRetryable(error) || error instanceof DeclarationTakenError;
      if (!passes || attempt++ > RETRIES) throw error;
    }
  }
}
