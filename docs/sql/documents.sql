-- The SQL of packages/service/src/documents/. Generated: change the sources, then npm run generate.

-- lock-documents
-- packages/service/src/documents/queries.ts
select pg_advisory_xact_lock(7, $1::integer);

-- select-document
-- packages/service/src/documents/queries.ts
select declaration_id as "declarationId", file_name as "fileName", size, encode(sha256, 'hex') as sha256
from document where id = $1;

-- select-document-content
-- packages/service/src/documents/queries.ts
select substring(content from $2 + 1 for $3) as content from document where id = $1;

-- select-documents
-- packages/service/src/documents/queries.ts
select d.id, json_build_object('documentId', d.id, 'declarationId', d.declaration_id, 'documentType', d.document_type,
    'fileName', d.file_name, 'size', d.size, 'sha256', encode(d.sha256, 'hex'), 'uploadedAt', api_time(d.uploaded_at),
    'organisation', (select identifier from organisation o where o.id = d.organisation_id))::text as body from document d
where d.declaration_id = $1 and (d.uploaded_at, d.id) > (
  coalesce((select uploaded_at from document where id = $2), '-infinity'),
  coalesce($2, '00000000-0000-0000-0000-000000000000'))
order by d.uploaded_at, d.id limit $3;

-- select-own-documents
-- packages/service/src/documents/queries.ts
select json_build_object('documentId', d.id, 'declarationId', d.declaration_id, 'documentType', d.document_type,
    'fileName', d.file_name, 'size', d.size, 'sha256', encode(d.sha256, 'hex'), 'uploadedAt', api_time(d.uploaded_at),
    'organisation', (select identifier from organisation o where o.id = d.organisation_id))::text as body from document d
where d.organisation_id = $1 and d.declaration_id = $2 order by d.uploaded_at, d.id limit $3;

-- store-document
-- packages/service/src/documents/queries.ts
with known as (
  select * from document
  where organisation_id = $1 and declaration_id = $2 and sha256 = decode($3, 'hex')
),
stored as (
  insert into document (organisation_id, declaration_id, sha256, content, id, document_type, file_name, kind, size,
    uploaded_at, client_id, request_id)
  select $1, $2, decode($3, 'hex'), $4, $5, $6, $7, $8, $9, record_time($10::timestamptz), $11, $12
  where (select id from known) is null
    and (select count(*) from document where organisation_id = $1 and declaration_id = $2) < $13
  returning *
)
select json_build_object('documentId', d.id, 'declarationId', d.declaration_id, 'documentType', d.document_type,
    'fileName', d.file_name, 'size', d.size, 'sha256', encode(d.sha256, 'hex')) as document, is_new as "isNew"
from (select *, false as is_new from known union all select *, true from stored) d;
