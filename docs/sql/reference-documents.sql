-- The SQL of packages/service/src/reference-documents/. Generated: change the sources, then npm run generate.

-- find-reference-documents
-- packages/service/src/reference-documents/queries.ts
select d.kind, d.reference, d.state, d.registered_at as "registeredAt", d.changed_at as "changedAt"
from unnest($1::text[], $2::text[]) with ordinality as searched (kind, after, number)
cross join lateral (
  select * from reference_document
  where kind = searched.kind and reference > searched.after
    and reference >= $4::text and reference < $5::text
  order by reference limit $3::integer offset 0
) d
order by d.kind, d.reference limit $3::integer;

-- lock-reference-documents
-- packages/service/src/reference-documents/queries.ts
select lock_references(8, $1::text[], $2);

-- select-reference-documents
-- packages/service/src/reference-documents/queries.ts
select d.kind, d.reference, d.state
from unnest($1::text[], $2::text[]) with ordinality as cited (kind, reference, number)
cross join lateral (
  select * from reference_document where kind = cited.kind and reference = cited.reference offset 0
) d;

-- store-reference-documents
-- packages/service/src/reference-documents/queries.ts
with recording as materialized (
  select record_time($1::timestamptz) as at
),
line as materialized (
  select sent.kind, sent.reference, sent.state, (
    select d.state from reference_document d where d.kind = sent.kind and d.reference = sent.reference
  ) as before
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as sent (kind, reference, state, number)
),
written as (
  insert into reference_document (kind, reference, state, registered_at, changed_at)
  select kind, reference, state, at, at from line cross join recording where before is distinct from state
  order by kind collate "C", reference collate "C"
  on conflict (kind, reference) do update set state = excluded.state, changed_at = excluded.changed_at
    where reference_document.state <> excluded.state
  returning kind, reference, state
)
select kind, reference, before as state, false as written, at
from line cross join recording where before is not null
union all
select kind, reference, state, true, at from written cross join recording;
