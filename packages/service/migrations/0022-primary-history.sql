-- locks: nothing
--
-- One row for each timeline of PostgreSQL on which servers found the primary. A standby follows this primary exactly if it
-- has the token of the primary's timeline: one that has more than the primary, after a failover, never gets it.
create table primary_history (
  timeline text collate "C" primary key,
  token uuid not null default gen_random_uuid()
);
