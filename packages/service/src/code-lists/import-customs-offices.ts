// Puts a list of customs offices (CL141) into force in place of the one before.
import {
  type CodeListImported,
  type CustomsOffice,
  nationalCustomsOffices,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import type { CustomsOffices } from './customs-offices.js';
import { replaceOffices } from './queries.js';

/**
 * Replaces the whole list, or nothing. Wire contract, section 10.
 *
 * @param list the new list, which was checked
 * @throws DatabaseUnavailableError when it cannot be known whether the list was replaced
 */
export type ImportCustomsOffices = (
  list: readonly CustomsOffice[],
  importedAt: Date,
) => Promise<CodeListImported>;

/** Makes the operation on a database; `offices` follows it at once on this server. */
export function makeImportCustomsOffices(
  database: Database,
  offices: CustomsOffices,
): ImportCustomsOffices {
  return async (list, importedAt) => {
    const imported = await replaceList(database, list, importedAt);
    await offices.refresh();
    return imported;
  };
}

async function replaceList(
  database: Database,
  list: readonly CustomsOffice[],
  importedAt: Date,
): Promise<CodeListImported> {
  const [, deleted] = await database.commit(replaceOffices(list, importedAt), 'large');
  const replaced = Number(deleted?.[0]?.replaced);
  return {
    codeList: 'cl141',
    entries: list.length,
    // An imported list is never empty: where there was none, the built-in one was in force.
    replaced: replaced === 0 ? nationalCustomsOffices.length : replaced,
    importedAt: importedAt.toISOString(),
  };
}
