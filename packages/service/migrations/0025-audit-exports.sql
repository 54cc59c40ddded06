-- locks: nothing
--
-- The months of the audit trail that were exported, each to a file that was read again and verified. Only these are
-- removed by retention.
create table audit_export (
  until timestamptz primary key,
  sha256 text collate "C" not null,
  -- Where each chain ended at that time.
  ends jsonb not null,
  exported_at timestamptz not null default now()
);
