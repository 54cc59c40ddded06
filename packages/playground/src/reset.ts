// Resets a playground to the data with which it was started.
import type { Database } from '@landfall/service/assembly';
import { findSavedData, ownTables, restoreData, saveData } from './data-queries.js';

/** Whether data was restored in this process, so that the code for it is compiled. */
let isPrepared = false;

/**
 * Saves the data, to which resets return. In a data folder that was saved at an earlier start, does nothing.
 *
 * @param isSmall whether restoring takes no time: then the first save of a process also restores. PostgreSQL compiles
 *   code for that, which would otherwise double the time of the first reset
 */
export async function saveInitialData(database: Database, isSmall: boolean): Promise<void> {
  const [row] = await database.query(findSavedData);
  await database.transact(async (transaction) => {
    await transaction.run(ownTables);
    if (row?.saved === true) return;
    await transaction.run(saveData);
    if (isPrepared || !isSmall) return;
    await transaction.run(restoreData);
    isPrepared = true;
  });
}

/** Replaces all data by the saved data, and drops what is cached of it. */
export async function restoreInitialData(database: Database): Promise<void> {
  await database.transact((transaction) => transaction.run(restoreData));
  await database.replacements.replaced();
}
