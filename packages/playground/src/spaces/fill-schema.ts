// Fills the schema of a space with the data of the start of its playground, of which the playground has a copy.
import type { Database } from '@landfall/service/assembly';
import { restoreData } from '../data-queries.js';

/**
 * Replaces all data by the copy, and drops what is cached of it.
 *
 * @param schema whose tables `database` means
 */
export async function fillSchema(database: Database, schema: string): Promise<void> {
  await database.transact((transaction) => transaction.run(restoreData(schema)));
  await database.replacements.replaced();
}
