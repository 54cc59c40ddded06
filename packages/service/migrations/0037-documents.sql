-- locks: nothing
--
-- Documents of customs declarations, with their files.

create table document (
  organisation_id integer not null,
  -- As it was sent: the declarations are in a register of the authority.
  declaration_id text collate "C" not null,
  id uuid primary key,
  document_type text not null,
  file_name text not null,
  kind text not null check (kind in ('pdf', 'jpg', 'png', 'txt', 'docx', 'xlsx')),
  size integer not null check (size >= 1),
  sha256 bytea not null,
  content bytea not null,
  uploaded_at timestamptz not null,
  client_id text not null,
  request_id text not null
);
-- Files are compressed already, and parts of one are read without the rest.
alter table document alter column content set storage external;

-- The same file is stored once.
create unique index document_file on document (organisation_id, declaration_id, sha256);
create index document_of_declaration on document (declaration_id, uploaded_at, id);
create index document_by_time on document (uploaded_at, id);

select audit_table('document', '{id}', '{}');
