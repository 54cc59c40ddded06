// A playground resets its database, so it takes none that has anything of somebody else.
import { codeOf } from '@landfall/service';
import { type Database, SESSION_LOCKS } from '@landfall/service/assembly';
import { claimTables } from './data-queries.js';
import { PlaygroundOptionError } from './option-error.js';

/** What `raise exception` gives. */
const RAISED = 'P0001';

/**
 * Claims a database of PostgreSQL.
 *
 * @returns a function that gives it up
 * @throws PlaygroundOptionError when it has tables that no playground has made, or another playground uses it
 */
export async function claimDatabase(database: Database): Promise<() => Promise<void>> {
  const giveUp = await database.tryLock(SESSION_LOCKS.playground, () => undefined);
  if (giveUp === undefined) {
    throw new PlaygroundOptionError(
      'databaseUrl: another playground uses this database; give each one a database of its own',
    );
  }
  try {
    await checkOwned(database);
  } catch (error) {
    await giveUp();
    throw error;
  }
  return giveUp;
}

async function checkOwned(database: Database): Promise<void> {
  try {
    await database.transact((transaction) => transaction.run(claimTables));
  } catch (error) {
    if (codeOf(error) !== RAISED || !(error instanceof Error)) throw error;
    throw new PlaygroundOptionError(
      `databaseUrl: the database has tables that no playground has made (${error.message}), and a playground deletes what it finds; give it an empty one`,
    );
  }
}
