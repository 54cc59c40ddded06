// Resets a playground to the data with which it was started.
import type { Database } from '@landfall/service/assembly';
import { findSavedData, restoreData, saveData } from './data-queries.js';

/** Saves the data, to which resets return. In a data folder that was saved at an earlier start, does nothing. */
export async function saveInitialData(database: Database): Promise<void> {
  const [row] = await database.query<{ saved: boolean }>(findSavedData);
  if (row?.saved !== true) await database.transact((transaction) => transaction.run(saveData));
}

/** Replaces all data by the saved data, and drops what is cached of it. */
export async function restoreInitialData(database: Database): Promise<void> {
  await database.transact((transaction) => transaction.run(restoreData));
  await database.replaced();
}
