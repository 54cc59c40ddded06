// Replaces the list of places (CL144, UN/LOCODE), or shows what that would change.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  CodeListImportQuery,
  UnloCode,
  UnloCodesImported,
  ValidationError,
} from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Queryable } from '../database/database.js';
import { checkRemovals } from './compare-lists.js';
import { compareGroups, groupCodes, type PlaceChanges } from './compare-unlo-codes.js';
import { lockImports, recordImport } from './queries.js';
import {
  deleteUnloCodeGroups,
  putUnloCodeGroups,
  selectUnloCodeGroups,
  type UnloCodeGroup,
} from './unlo-code-queries.js';

/** Groups that are read, or written, by one statement: about 8,000 codes. */
const GROUPS_A_STATEMENT = 200;

type Groups = ReadonlyMap<string, UnloCodeGroup>;

/**
 * Replaces the whole list or changes nothing.
 *
 * @param list the new list, already checked
 * @returns what was changed, with `preview` what would be; or why nothing was
 * @throws DatabaseUnavailableError if it is unknown whether the list was replaced
 */
export async function importUnloCodes(
  { database, audit }: { database: Database; audit: AuditTrail },
  list: readonly UnloCode[],
  { preview, expectedRemovals }: CodeListImportQuery,
  context: AuditContext,
): Promise<UnloCodesImported | { errors: ValidationError[] }> {
  const groups = await groupCodes(list);
  if (preview === true) return show(list, await compareGroups(await readGroups(database), groups));
  return database.transact(async (transaction) => {
    await transaction.query(lockImports);
    const changes = await compareGroups(await readGroups(transaction), groups);
    const counts = {
      added: changes.added.count,
      changed: changes.changed.count,
      removed: changes.removed.count,
    };
    const errors = checkRemovals(counts, changes.before, 'places', expectedRemovals);
    if (errors.length > 0) return { errors };
    await transaction.query(recordImport('cl144', context.at, list.length));
    for (const some of portionsOf(changes.written)) {
      await transaction.query(putUnloCodeGroups(some));
    }
    for (const some of portionsOf(changes.deleted)) {
      await transaction.query(deleteUnloCodeGroups(some));
    }
    await audit.record(transaction, {
      ...context,
      action: 'code-list.imported',
      details: {
        codeList: 'cl144',
        entries: list.length,
        ...counts,
        digest: await digestOf(groups),
      },
    });
    return { ...show(list, changes), importedAt: context.at.toISOString() };
  }, 'large');
}

/** The list in force, by the start of its codes. */
async function readGroups(queryable: Queryable): Promise<Groups> {
  const groups = new Map<string, UnloCodeGroup>();
  let after = '';
  for (;;) {
    const rows = await queryable.query(selectUnloCodeGroups(after, GROUPS_A_STATEMENT));
    for (const row of rows) groups.set(row.prefix, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < GROUPS_A_STATEMENT) return groups;
    after = last.prefix;
  }
}

function* portionsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += GROUPS_A_STATEMENT) {
    yield items.slice(start, start + GROUPS_A_STATEMENT);
  }
}

function show(
  list: readonly UnloCode[],
  { before, added, changed, removed }: PlaceChanges,
): Omit<UnloCodesImported, 'importedAt'> {
  return { codeList: 'cl144', entries: list.length, replaced: before, added, changed, removed };
}

/** SHA-256 of the places in the order of their codes. */
async function digestOf(groups: Groups): Promise<string> {
  const hash = createHash('sha256');
  let taken = 0;
  for (const { codes, names } of groups.values()) {
    hash.update(JSON.stringify([codes, names]));
    if (++taken % GROUPS_A_STATEMENT === 0) await setImmediate();
  }
  return hash.digest('hex');
}
