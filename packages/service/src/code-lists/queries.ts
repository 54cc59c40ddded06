// SQL of the code lists.
import type { CustomsOffice } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** When CL141 was last imported; no row if it never was. */
export const selectImport: Statement<{ importedAt: Date }> = {
  name: 'select-code-list-import',
  text: `select imported_at as "importedAt" from code_list_import where code_list = 'cl141'`,
  values: [],
};

/** The offices of the imported list. */
export const selectOffices: Statement<OfficeRow> = {
  name: 'select-customs-offices',
  text: `select reference_number as "referenceNumber", valid_from::text as "validFrom",
      valid_to::text as "validTo"
    from customs_office`,
  values: [],
};

/** An office as `selectOffices` returns it; dates as `YYYY-MM-DD`. */
export type OfficeRow = {
  referenceNumber: string;
  validFrom: string | null;
  validTo: string | null;
};

/**
 * Replaces the whole list in one transaction. The first statement locks the import's row until the commit, so that
 * concurrent imports run one after the other. The second returns the number of offices that were deleted.
 */
export function replaceOffices(
  offices: readonly CustomsOffice[],
  importedAt: Date,
): readonly [Statement, Statement<{ replaced: number }>, Statement] {
  return [
    {
      name: 'record-code-list-import',
      text: `insert into code_list_import (code_list, imported_at, entries) values ('cl141', $1, $2)
        on conflict (code_list) do update set imported_at = excluded.imported_at,
          entries = excluded.entries`,
      values: [importedAt, offices.length],
    },
    {
      name: 'delete-customs-offices',
      text: `with deleted as (delete from customs_office returning 1)
        select count(*) as replaced from deleted`,
      values: [],
    },
    {
      name: 'insert-customs-offices',
      text: `insert into customs_office (reference_number, name, valid_from, valid_to)
        select * from unnest($1::text[], $2::text[], $3::date[], $4::date[])`,
      values: [
        offices.map(({ referenceNumber }) => referenceNumber),
        offices.map(({ name }) => name),
        offices.map(({ validFrom }) => validFrom ?? null),
        offices.map(({ validTo }) => validTo ?? null),
      ],
    },
  ];
}
