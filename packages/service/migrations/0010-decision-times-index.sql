-- concurrently
-- locks: nothing while it is built; routing_decision can be read and written
--
-- Decisions are listed by time.
create index concurrently routing_decision_decided_at on routing_decision (decided_at, house_consignment_id, number);
