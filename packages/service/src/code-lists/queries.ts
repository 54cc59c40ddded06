// SQL of the code lists.
import { type CustomsOffice, identifierKey } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** When CL141 was last imported; no row if it never was. */
export const selectImport: Statement<{ importedAt: Date }> = {
  name: 'select-code-list-import',
  text: `select imported_at as "importedAt" from code_list_import where code_list = 'cl141'`,
  values: [],
};

/** The offices of the imported list, in the order of their reference numbers. */
export const selectOffices: Statement<OfficeRow> = {
  name: 'select-customs-offices',
  text: `select reference_number as "referenceNumber", name, valid_from::text as "validFrom",
      valid_to::text as "validTo"
    from customs_office order by reference_number`,
  values: [],
};

/** An office as `selectOffices` returns it; dates as `YYYY-MM-DD`. */
export type OfficeRow = {
  referenceNumber: string;
  name: string;
  validFrom: string | null;
  validTo: string | null;
};

/** Until the end of the transaction, no other import begins: what this one is compared with is what it replaces. */
export const lockImports: Statement = {
  name: 'lock-code-list-imports',
  text: 'lock table code_list_import in share row exclusive mode',
  values: [],
};

/** Records that a list was imported. */
export function recordImport(codeList: string, importedAt: Date, entries: number): Statement {
  return {
    name: 'record-code-list-import',
    text: `insert into code_list_import (code_list, imported_at, entries) values ($1, $2, $3)
      on conflict (code_list) do update set imported_at = excluded.imported_at,
        entries = excluded.entries`,
    values: [codeList, importedAt, entries],
  };
}

/** Replaces the whole list, in a transaction that has the lock of imports. */
export function replaceOffices(offices: readonly CustomsOffice[]): readonly Statement[] {
  return [
    {
      name: 'delete-customs-offices',
      text: 'delete from customs_office',
      values: [],
    },
    {
      name: 'insert-customs-offices',
      text: `insert into customs_office (reference_number, name, valid_from, valid_to, name_key)
        select * from unnest($1::text[], $2::text[], $3::date[], $4::date[], $5::text[])`,
      values: [
        offices.map(({ referenceNumber }) => referenceNumber),
        offices.map(({ name }) => name),
        offices.map(({ validFrom }) => validFrom ?? null),
        offices.map(({ validTo }) => validTo ?? null),
        offices.map(({ name }) => identifierKey(name)),
      ],
    },
  ];
}
