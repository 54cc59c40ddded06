// SQL that reads the code lists in force.
import { type CodeListEntry, type CodeListQuery, identifierKey } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** An imported list. */
export type ImportedList = { list: string; importedAt: Date; entries: number };

/** When each list was imported; no row for one that never was. */
export const selectImports: Statement<ImportedList> = {
  name: 'select-code-list-imports',
  text: `select code_list as list, imported_at as "importedAt", entries from code_list_import`,
  values: [],
};

/** A page of an imported list, of one moment. */
export type ImportedPage = { importedAt: Date; codes: CodeListEntry[] };

type PageQuery = CodeListQuery & { limit: number };

/** A page of the imported customs offices; no row if none were imported. */
export function selectOfficePage(query: PageQuery): Statement<ImportedPage> {
  return {
    name: 'select-customs-office-page',
    text: `
      select imported_at as "importedAt", coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'code', reference_number, 'name', name, 'validFrom', valid_from, 'validTo', valid_to)) order by reference_number)
        from (
          select * from customs_office
          where reference_number > $1 and starts_with(reference_number, $2)
            and position($3 in reference_number || ' ' || coalesce(name_key, identifier_key(name))) > 0
          order by reference_number limit $4
        ) page), '[]') as codes
      from code_list_import where code_list = 'cl141'`,
    values: valuesOf(query),
  };
}

/** A page of the imported places; no row if none were imported. Groups before the marker are not read. */
export function selectUnloCodePage(query: PageQuery): Statement<ImportedPage> {
  return {
    name: 'select-unlo-code-page',
    text: `
      select imported_at as "importedAt", coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('code', code, 'name', nullif(name, ''))) order by code)
        from (
          select p.code, p.name
          from unlo_code_group g cross join unnest(g.codes, g.names, g.name_keys) p (code, name, name_key)
          where g.prefix >= left($1, 3) and g.prefix >= left($2, 3) and g.prefix <= left($2 || 'ZZZ', 3)
            and p.code > $1 and starts_with(p.code, $2)
            and position($3 in p.code || ' ' || p.name_key) > 0
          order by g.prefix, p.code limit $4
        ) page), '[]') as codes
      from code_list_import where code_list = 'cl144'`,
    values: valuesOf(query),
  };
}

function valuesOf({ code = '', text = '', marker = '', limit }: PageQuery): unknown[] {
  return [marker, code, identifierKey(text), limit];
}
