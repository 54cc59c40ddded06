-- The SQL of packages/service/src/code-lists/. Generated: change the sources, then npm run generate.

-- delete-customs-offices
-- packages/service/src/code-lists/queries.ts
with deleted as (delete from customs_office returning 1)
select count(*) as replaced from deleted;

-- insert-customs-offices
-- packages/service/src/code-lists/queries.ts
insert into customs_office (reference_number, name, valid_from, valid_to)
select * from unnest($1::text[], $2::text[], $3::date[], $4::date[]);

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
select reference_number as "referenceNumber", valid_from::text as "validFrom",
  valid_to::text as "validTo"
from customs_office;
