-- locks: nothing
--
-- The key figures of every server, one row a minute, for a day: whoever writes a row removes the old ones. Any server
-- can show all servers, and one that has stopped reporting is noticed.
create table server_figures (
  at timestamptz not null,
  server text collate "C" not null,
  started_at timestamptz not null,
  version text not null,
  -- Whether it is the last row of a server that was stopped.
  is_stopped boolean not null,
  -- What was measured since the previous row of the server.
  figures jsonb not null,
  -- Requests of the organisations that made the highest number, with those that were refused and that failed.
  callers jsonb not null,
  primary key (at, server)
);

-- The last verification of the audit trail. There is one row at most.
create table audit_verification (
  single boolean primary key default true check (single),
  at timestamptz not null,
  records bigint not null,
  breaks integer not null,
  records_only boolean not null
);
