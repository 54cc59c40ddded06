// Replaces the list of customs offices (CL141), or shows what that would change.
import { createHash } from 'node:crypto';
import {
  type CodeListImported,
  type CodeListImportQuery,
  type CustomsOffice,
  nationalCustomsOffices,
  type ValidationError,
} from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Queryable } from '../database/database.js';
import { checkRemovals, compareLists, type ListChanges, showChanges } from './compare-lists.js';
import type { CustomsOffices } from './customs-offices.js';
import { lockImports, recordImport, replaceOffices, selectOffices } from './queries.js';

/** What importing needs. */
export type CodeLists = {
  database: Database;
  audit: AuditTrail;
  /** The list of this server, which is refreshed at once. */
  offices: CustomsOffices;
};

/** The list in force, and what another one would change of it. */
type Comparison = { current: readonly CustomsOffice[]; changes: ListChanges };

/**
 * Replaces the whole list or changes nothing. Imports at the same time are compared with the list that they replace, one
 * after the other.
 *
 * @param list the new list, already checked
 * @returns what was changed, with `preview` what would be; or why nothing was
 * @throws DatabaseUnavailableError if it is unknown whether the list was replaced
 */
export async function importCustomsOffices(
  { database, audit, offices }: CodeLists,
  list: readonly CustomsOffice[],
  { preview, expectedRemovals }: CodeListImportQuery,
  context: AuditContext,
): Promise<CodeListImported | { errors: ValidationError[] }> {
  const { at } = context;
  const today = offices.dayOf(at);
  const compare = async (queryable: Queryable): Promise<Comparison> => {
    const current = await readList(queryable);
    return { current, changes: compareLists(current, list, today) };
  };
  if (preview === true) return show(list, await compare(database));
  const result = await database.transact(async (transaction) => {
    await transaction.query(lockImports);
    const compared = await compare(transaction);
    const { current, changes } = compared;
    const counts = {
      added: changes.added.length,
      changed: changes.changed.length,
      removed: changes.removed.length,
    };
    const errors = checkRemovals(counts, current.length, 'customs offices', expectedRemovals);
    if (errors.length > 0) return { errors };
    await transaction.query(recordImport('cl141', at, list.length));
    for (const statement of replaceOffices(list)) await transaction.query(statement);
    await audit.record(transaction, {
      ...context,
      action: 'code-list.imported',
      details: {
        codeList: 'cl141',
        entries: list.length,
        ...counts,
        digest: digestOf(list),
      },
    });
    return { ...show(list, compared), importedAt: at.toISOString() };
  }, 'large');
  await offices.refresh();
  return result;
}

/** The list in force: the built-in one until a list is imported. An imported list is never empty. */
async function readList(queryable: Queryable): Promise<readonly CustomsOffice[]> {
  const rows = await queryable.query(selectOffices);
  if (rows.length === 0) return nationalCustomsOffices;
  return rows.map(({ referenceNumber, name, validFrom, validTo }) => ({
    referenceNumber,
    name,
    ...(validFrom !== null && { validFrom }),
    ...(validTo !== null && { validTo }),
  }));
}

function show(
  list: readonly CustomsOffice[],
  { current, changes }: Comparison,
): Omit<CodeListImported, 'importedAt'> {
  return {
    codeList: 'cl141',
    entries: list.length,
    replaced: current.length,
    added: showChanges(changes.added),
    changed: showChanges(changes.changed),
    removed: showChanges(changes.removed),
  };
}

/** SHA-256 of the offices in their order. */
function digestOf(list: readonly CustomsOffice[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex');
}
