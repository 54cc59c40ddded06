// SQL of the list of places (CL144, UN/LOCODE). Its codes are in groups by their first three characters, because a row of its
// own for each of 116,000 codes would fill the record of an import with as many digests.
import { identifierKey } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** The codes with one start, sorted, and the name of each; without a name, it is empty. */
export type UnloCodeGroup = { prefix: string; codes: readonly string[]; names: readonly string[] };

/** Some groups, in the order of their prefixes. */
export function selectUnloCodeGroups(after: string, limit: number): Statement<UnloCodeGroup> {
  return {
    name: 'select-unlo-code-groups',
    text: `select prefix, codes, names from unlo_code_group where prefix > $1 order by prefix limit $2`,
    values: [after, limit],
  };
}

/** Adds groups, or replaces their contents. */
export function putUnloCodeGroups(groups: readonly UnloCodeGroup[]): Statement {
  return {
    name: 'put-unlo-code-groups',
    text: `insert into unlo_code_group (prefix, codes, names, name_keys)
      select prefix, codes, names, keys
      from jsonb_to_recordset($1::jsonb) given (prefix text, codes text[], names text[], keys text[])
      on conflict (prefix) do update
        set codes = excluded.codes, names = excluded.names, name_keys = excluded.name_keys`,
    values: [
      JSON.stringify(groups.map((group) => ({ ...group, keys: group.names.map(identifierKey) }))),
    ],
  };
}

export function deleteUnloCodeGroups(prefixes: readonly string[]): Statement {
  return {
    name: 'delete-unlo-code-groups',
    text: 'delete from unlo_code_group where prefix = any ($1::text[])',
    values: [prefixes],
  };
}

/** Returns a row for each code, in their order: whether it is in the list, or `null` if none was imported. */
export function findUnloCodes(codes: readonly string[]): Statement<{ isListed: boolean | null }> {
  return {
    name: 'find-unlo-codes',
    text: `
      select case when exists (select from code_list_import where code_list = 'cl144')
          then coalesce(given.code = any (g.codes), false) end as "isListed"
      from unnest($1::text[]) with ordinality given (code, position)
      left join unlo_code_group g on g.prefix = left(given.code, 3)
      order by position`,
    values: [codes],
  };
}
