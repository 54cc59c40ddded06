// Replaces the list of customs offices (CL141) that is in force.
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

/**
 * Replaces the whole list or changes nothing. Wire contract, section 10.
 *
 * @param list the new list, already checked
 * @throws DatabaseUnavailableError if it is unknown whether the list was replaced
 */
export type ImportCustomsOffices = (
  list: readonly CustomsOffice[],
  context: AuditContext,
) => Promise<CodeListImported>;

/** Makes the operation; `offices` is refreshed at once on this server. */
export function makeImportCustomsOffices(
  database: Database,
  offices: CustomsOffices,
  audit: AuditTrail,
): ImportCustomsOffices {
  return async (list, context) => {
    const imported = await replaceList(database, list, context, audit);
    await offices.refresh();
    return imported;
  };
}

async function replaceList(
  database: Database,
  list: readonly CustomsOffice[],
  context: AuditContext,
  audit: AuditTrail,
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
  const replaced = Number(deleted?.[0]?.replaced);
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
