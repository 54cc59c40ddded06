// Puts a list of customs offices (CL141) into force in place of the one before.
import {
  type CodeListImported,
  type CustomsOffice,
  nationalCustomsOffices,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { replaceOffices } from './queries.js';

/**
 * Replaces the whole list, or nothing. Wire contract, section 10.
 *
 * @param offices the new list, which was checked
 * @throws DatabaseUnavailableError when it cannot be known whether the list was replaced
 */
export async function importCustomsOffices(
  database: Database,
  offices: readonly CustomsOffice[],
  importedAt: Date,
): Promise<CodeListImported> {
  const [, deleted] = await database.commit(replaceOffices(offices, importedAt), 'large');
  const replaced = Number(deleted?.[0]?.replaced);
  return {
    codeList: 'cl141',
    entries: offices.length,
    // An imported list is never empty: where there was none, the built-in one was in force.
    replaced: replaced === 0 ? nationalCustomsOffices.length : replaced,
    importedAt: importedAt.toISOString(),
  };
}
