// Lists the code lists that are in force.
import { type BuiltInList, builtInLists, type CodeListSummary } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { etagOfBuiltIn, etagOfImported } from './etag-of-list.js';
import { type ImportedList, selectImports } from './reading-queries.js';

/** All lists, sorted by name. */
export async function listCodeLists(database: Queryable): Promise<CodeListSummary[]> {
  const rows = await database.query(selectImports);
  const imports = new Map(rows.map((row) => [row.list, row]));
  return [...builtInLists].map(([list, builtIn]) => summarise(list, builtIn, imports.get(list)));
}

function summarise(
  list: string,
  { title, codes, pattern }: BuiltInList,
  imported: ImportedList | undefined,
): CodeListSummary {
  if (imported === undefined) {
    const etag = etagOfBuiltIn(list);
    const entries = codes.length;
    return { list, title, source: 'BUILT_IN', entries, ...(pattern && { pattern }), etag };
  }
  const { entries, importedAt } = imported;
  const etag = etagOfImported(list, importedAt);
  return { list, title, source: 'IMPORTED', entries, inForceSince: importedAt.toISOString(), etag };
}
