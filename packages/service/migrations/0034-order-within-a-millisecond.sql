-- locks: nothing
--
-- As before, but what follows a commit is a millisecond later than that one also where both are within one millisecond of the
-- clock: times are compared as they are recorded.
create or replace function record_time(given timestamptz) returns timestamptz language plpgsql as $$
declare
  now timestamptz := date_trunc('milliseconds', clock_timestamp());
  last timestamptz;
begin
  if given is null then
    select date_trunc('milliseconds', max(recorded_at)) into last
    from generate_series(1, 32) number -- the rows of audit_chain_end
    cross join lateral (
      select recorded_at from audit_chain_end where chain <= number order by chain desc limit 1 -- the newest version
    ) last;
    if last >= now then
      now := last + interval '1 ms';
      perform set_config('landfall.record_time', now::text, true);
    end if;
  end if;
  return date_trunc('milliseconds', coalesce(given, now));
end
$$;
