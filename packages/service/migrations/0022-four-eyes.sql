-- locks: routing_run, for a moment
--
-- Runs that decide only after another officer has confirmed them.

alter table routing_run
  drop constraint routing_run_state_check,
  add constraint routing_run_state_check
    check (state in ('PROPOSED', 'RUNNING', 'PAUSED', 'GIVEN_UP', 'COMPLETED')),
  -- Who has confirmed it, and when; null if nobody had to, or nobody has.
  add confirmed_at timestamptz,
  add confirmed_organisation_id integer,
  add confirmed_client_id text;

select audit_table('routing_run', '{id}', '{}');
