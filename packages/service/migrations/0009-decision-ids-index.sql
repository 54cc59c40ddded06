-- concurrently
-- locks: nothing while it is built; routing_decision can be read and written
--
-- A decision that is sent again is found by the id that its caller gave it, which the caller can use once.
create unique index concurrently routing_decision_of_caller on routing_decision (organisation_id, decision_id) where decision_id is not null;
