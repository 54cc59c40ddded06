-- The SQL of packages/service/src/code-lists/. Generated: change the sources, then npm run generate.

-- delete-customs-offices
-- packages/service/src/code-lists/queries.ts
delete from customs_office;

-- insert-customs-offices
-- packages/service/src/code-lists/queries.ts
insert into customs_office (reference_number, name, valid_from, valid_to)
select * from unnest($1::text[], $2::text[], $3::date[], $4::date[]);

-- lock-code-list-imports
-- packages/service/src/code-lists/queries.ts
lock table code_list_import in share row exclusive mode;

-- record-code-list-import
-- packages/service/src/code-lists/queries.ts
insert into code_list_import (code_list, imported_at, entries) values ('cl141', $1, $2)
on conflict (code_list) do update set imported_at = excluded.imported_at,
  entries = excluded.entries;

-- select-code-list-import
-- packages/service/src/code-lists/queries.ts
select imported_at as "importedAt" from code_list_import where code_list = 'cl141';

-- select-customs-offices
-- packages/service/src/code-lists/queries.ts
select reference_number as "referenceNumber", name, valid_from::text as "validFrom",
  valid_to::text as "validTo"
from customs_office order by reference_number;
