-- locks: nothing
--
-- The time of what is recorded is the database's, so that it does not depend on the clocks of servers.

-- The time at which a transaction records what it does, in milliseconds: now, but never earlier than what was recorded
-- before. Call it after the locks are held: then whoever changes the same goods or the same feed afterwards gets no earlier
-- time, also where the clock of the database was set back, or that of a standby which has become the primary is behind.
-- `given` is the time of a clock that has been moved, as that of a playground.
create function record_time(given timestamptz) returns timestamptz language plpgsql as $$
begin
  return date_trunc('milliseconds', coalesce(given, greatest(clock_timestamp(), (
    select max(recorded_at) from generate_series(1, 32) number -- the rows of audit_chain_end
    cross join lateral (
      select recorded_at from audit_chain_end where chain <= number order by chain desc limit 1 -- the newest version
    ) last))));
end
$$;
