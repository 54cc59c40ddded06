-- locks: routing_decision, for a moment
--
-- Runs: one decision on many house consignments, made in the background.

create table routing_run (
  id uuid primary key,
  created_at timestamptz not null,
  state text not null check (state in ('RUNNING', 'PAUSED', 'GIVEN_UP', 'COMPLETED')),
  -- Counts the changes of its state.
  version integer not null,
  state_changed_at timestamptz not null,
  -- Why Landfall has paused it.
  problem text,
  -- What was selected, as it was sent; null for a reversal.
  selection jsonb,
  -- Null for a reversal: its house consignments have different ones.
  routing text check (routing in ('TO_CONTROL', 'TO_ENTRY', 'UNDECIDED')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  reason text not null,
  origin text not null check (origin in ('OFFICER', 'ENGINE')),
  organisation_id integer not null,
  client_id text not null,
  request_id text not null,
  -- The run that it reverses.
  reverses uuid,
  -- How many house consignments it has, and how many of each result so far.
  house_consignments integer not null,
  decided integer not null default 0,
  unchanged integer not null default 0,
  conflicts integer not null default 0,
  refused integer not null default 0,
  signals integer not null default 0
);
create index routing_run_running on routing_run (id) where state = 'RUNNING';

-- The house consignments of a run, fixed when it is created, and what has become of each.
create table routing_run_result (
  run_id uuid not null references routing_run,
  house_consignment_id uuid not null,
  -- The number of the current decision when the run was created; null: none.
  expected integer,
  -- Of a reversal: what was decided before.
  routing text check (routing in ('TO_CONTROL', 'TO_ENTRY', 'UNDECIDED')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  -- Null while nothing has been done.
  status text check (status in ('DECIDED', 'UNCHANGED', 'CONFLICT', 'REFUSED')),
  error_code text,
  -- The number of the run's decision, or of the decision with which it conflicts.
  decision integer,
  primary key (run_id, house_consignment_id)
);
create index routing_run_result_open on routing_run_result (run_id, house_consignment_id) where status is null;

-- The run that decided.
alter table routing_decision add run_id uuid;

select audit_table('routing_decision', '{house_consignment_id,number}', '{}');
select audit_table('routing_run', '{id}', '{}');
select audit_table('routing_run_result', '{run_id,house_consignment_id}', '{}');
