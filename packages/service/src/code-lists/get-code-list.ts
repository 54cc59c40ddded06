// Reads the codes of a code list that is in force, page by page.
import {
  type BuiltInList,
  builtInLists,
  type CodeListEntry,
  type CodeListQuery,
  identifierKey,
  PAGE_LIMIT,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { etagOfBuiltIn, etagOfImported } from './etag-of-list.js';
import { selectOfficePage, selectUnloCodePage } from './reading-queries.js';

/** A page, of which list it is, and the marker of the next page if more may follow. */
export type CodePage = {
  page: CodeListEntry[];
  next: string | undefined;
  etag: string;
  /** Absent for a list that is built in. */
  importedAt?: Date;
};

const statements: Readonly<Record<string, typeof selectOfficePage>> = {
  cl141: selectOfficePage,
  cl144: selectUnloCodePage,
};

/** The codes after the marker that the query asks for; `undefined` if there is no such list. */
export async function getCodeList(
  database: Queryable,
  list: string,
  query: CodeListQuery,
): Promise<CodePage | undefined> {
  const builtIn = builtInLists.get(list);
  if (builtIn === undefined) return undefined;
  const { limit = PAGE_LIMIT } = query;
  const statement = Object.hasOwn(statements, list) ? statements[list] : undefined;
  const rows = statement && (await database.query(statement({ ...query, limit })));
  const imported = rows?.[0];
  const page = imported?.codes ?? select(builtIn, query, limit);
  const next = page.length === limit ? page.at(-1)?.code : undefined;
  return imported === undefined
    ? { page, next, etag: etagOfBuiltIn(list) }
    : {
        page,
        next,
        etag: etagOfImported(list, imported.importedAt),
        importedAt: imported.importedAt,
      };
}

function select(
  { codes }: BuiltInList,
  { code: start = '', text = '', marker = '' }: CodeListQuery,
  limit: number,
): CodeListEntry[] {
  const searched = identifierKey(text);
  const isAsked = ({ code, name = '' }: CodeListEntry) =>
    code > marker && code.startsWith(start) && `${code} ${identifierKey(name)}`.includes(searched);
  return codes.filter(isAsked).slice(0, limit);
}
