-- locks: nothing
--
-- Documents of registers outside of Landfall, which movement messages cite. What says the same of a document, however its
-- number is spelled, is one row.
create table reference_document (
  kind text not null collate "C",
  -- The number as a key, or of a customs declaration its declarant, day and sequence number.
  reference text not null collate "C",
  state text not null collate "C" check (state in ('VALID', 'INVALID')),
  registered_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (kind, reference)
);
select audit_table('reference_document', '{kind,reference}', '{}');
