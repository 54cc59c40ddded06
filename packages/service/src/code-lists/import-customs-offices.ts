// Replaces the list of customs offices (CL141).
import { createHash } from 'node:crypto';
import {
  type CodeListImported,
  type CustomsOffice,
  nationalCustomsOffices,
} from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { CustomsOffices } from './customs-offices.js';
import { replaceOffices } from './queries.js';

/** What importing needs. */
export type CodeLists = {
  database: Database;
  audit: AuditTrail;
  /** The list of this server, which is refreshed at once. */
  offices: CustomsOffices;
};

/**
 * Replaces the whole list or changes nothing.
 *
 * @param list the new list, already checked
 * @throws DatabaseUnavailableError if it is unknown whether the list was replaced
 */
export async function importCustomsOffices(
  { database, audit, offices }: CodeLists,
  list: readonly CustomsOffice[],
  context: AuditContext,
): Promise<CodeListImported> {
  const importedAt = context.at;
  const record = audit.statements({
    ...context,
    action: 'code-list.imported',
    details: { codeList: 'cl141', entries: list.length, digest: digestOf(list) },
  });
  const [, deleted] = await database.commit(
    [...replaceOffices(list, importedAt), ...record],
    'large',
  );
  await offices.refresh();
  const [row] = deleted;
  if (row === undefined) throw new Error('a replacement of the list returned no row');
  const { replaced } = row;
  return {
    codeList: 'cl141',
    entries: list.length,
    // An imported list is never empty, so 0 means that the built-in list was in force.
    replaced: replaced === 0 ? nationalCustomsOffices.length : replaced,
    importedAt: importedAt.toISOString(),
  };
}

/** SHA-256 of the offices in their order. */
function digestOf(list: readonly CustomsOffice[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex');
}
