-- concurrently
-- locks: nothing while it is built; routing_decision can be read and written
--
-- Decisions of a run are listed by time.
create index concurrently routing_decision_of_run on routing_decision (run_id, decided_at, house_consignment_id, number) where run_id is not null;
