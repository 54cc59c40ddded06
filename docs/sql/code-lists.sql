-- The SQL of packages/service/src/code-lists/. Generated: change the sources, then npm run generate.

-- delete-customs-offices
-- packages/service/src/code-lists/queries.ts
delete from customs_office;

-- delete-unlo-code-groups
-- packages/service/src/code-lists/unlo-code-queries.ts
delete from unlo_code_group where prefix = any ($1::text[]);

-- find-unlo-codes
-- packages/service/src/code-lists/unlo-code-queries.ts
select case when exists (select from code_list_import where code_list = 'cl144')
    then coalesce(given.code = any (g.codes), false) end as "isListed"
from unnest($1::text[]) with ordinality given (code, position)
left join unlo_code_group g on g.prefix = left(given.code, 3)
order by position;

-- insert-customs-offices
-- packages/service/src/code-lists/queries.ts
insert into customs_office (reference_number, name, valid_from, valid_to, name_key)
select * from unnest($1::text[], $2::text[], $3::date[], $4::date[], $5::text[]);

-- lock-code-list-imports
-- packages/service/src/code-lists/queries.ts
lock table code_list_import in share row exclusive mode;

-- put-unlo-code-groups
-- packages/service/src/code-lists/unlo-code-queries.ts
insert into unlo_code_group (prefix, codes, names, name_keys)
select prefix, codes, names, keys
from jsonb_to_recordset($1::jsonb) given (prefix text, codes text[], names text[], keys text[])
on conflict (prefix) do update
  set codes = excluded.codes, names = excluded.names, name_keys = excluded.name_keys;

-- record-code-list-import
-- packages/service/src/code-lists/queries.ts
insert into code_list_import (code_list, imported_at, entries) values ($1, $2, $3)
on conflict (code_list) do update set imported_at = excluded.imported_at,
  entries = excluded.entries;

-- select-code-list-import
-- packages/service/src/code-lists/queries.ts
select imported_at as "importedAt" from code_list_import where code_list = 'cl141';

-- select-code-list-imports
-- packages/service/src/code-lists/reading-queries.ts
select code_list as list, imported_at as "importedAt", entries from code_list_import;

-- select-customs-office-page
-- packages/service/src/code-lists/reading-queries.ts
select imported_at as "importedAt", coalesce((
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'code', reference_number, 'name', name, 'validFrom', valid_from, 'validTo', valid_to)) order by reference_number)
  from (
    select * from customs_office
    where reference_number > $1 and starts_with(reference_number, $2)
      and position($3 in reference_number || ' ' || coalesce(name_key, identifier_key(name))) > 0
    order by reference_number limit $4
  ) page), '[]') as codes
from code_list_import where code_list = 'cl141';

-- select-customs-offices
-- packages/service/src/code-lists/queries.ts
select reference_number as "referenceNumber", name, valid_from::text as "validFrom",
  valid_to::text as "validTo"
from customs_office order by reference_number;

-- select-unlo-code-groups
-- packages/service/src/code-lists/unlo-code-queries.ts
select prefix, codes, names from unlo_code_group where prefix > $1 order by prefix limit $2;

-- select-unlo-code-page
-- packages/service/src/code-lists/reading-queries.ts
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
from code_list_import where code_list = 'cl144';
