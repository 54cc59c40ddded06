-- concurrently
-- locks: nothing; reads all of client once
--
-- Blocked clients are found by their id, without regard to capitals.
create index concurrently client_lower_id on client (lower(client_id));
