-- locks: reads and writes of entry_summary_declaration and writes of organisation, for a moment
-- What presentations, decisions and registrations share: how locks are taken, and the texts of feed entries.

-- Takes advisory locks until commit, in the order of their numbers; gives the numbers that it has locked. It waits up to
-- `patience` milliseconds for one that another transaction holds. When that was not enough, it leaves out this one and
-- all others that are not free. So nobody waits long while holding what others need, and a loop, unlike a query, keeps
-- the order whatever the planner does.
create function lock_in_order(namespace integer, numbers integer[], patience integer) returns integer[]
language plpgsql as $$
declare
  wanted integer;
  locked integer[] := '{}';
  patient boolean := patience > 0;
  usual_timeout text := current_setting('lock_timeout');
begin
  for wanted in
    select distinct number from unnest(numbers) number where number is not null order by number
  loop
    if pg_try_advisory_xact_lock(namespace, wanted) then
      locked := array_append(locked, wanted);
    elsif patient then
      begin
        perform set_config('lock_timeout', patience::text, true);
        perform pg_advisory_xact_lock(namespace, wanted);
        perform set_config('lock_timeout', usual_timeout, true);
        locked := array_append(locked, wanted);
      exception when lock_not_available then
        patient := false;
      end;
    end if;
  end loop;
  return locked;
end
$$;

-- These functions are one expression each, and no more volatile than they say: so PostgreSQL puts them into the query
-- that calls them, instead of running a query for each row.

-- The id of an entry that serves as its marker: a UUID v8 (RFC 9562) of the position in 48 bits and of 62 bits that
-- nobody can foresee, a hash of the position under a random seed. So the entry is found by its position, and a made-up
-- id is refused. The version, 8, and the variant, binary 10, are where RFC 9562 has them.
create function mint_marker(feed_position bigint, seed bigint) returns uuid language sql immutable as $$
  select encode(
    int8send((feed_position << 16) | 32768)
      || int8send((hashint8extended(feed_position, seed) & 4611686018427387903) | (-9223372036854775808)),
    'hex')::uuid
$$;

-- The text of a validation status; `errors` is the list of errors without its brackets.
create function validation_status_entry(
  request_id text, failed boolean, level text, notified text, mrn text, office text, houses bigint, errors text
) returns text language sql immutable as $$
  select '{"requestId":"' || request_id
    || '","status":"' || case when failed then 'FAILURE' else 'SUCCESS' end
    || '","level":"' || level
    || '","notificationDate":"' || notified
    || coalesce('","mrn":"' || mrn, '')
    || coalesce('","customsOfficeOfPresentation":"' || office, '')
    || '","houseConsignments":' || houses::text
    || coalesce(',"validationErrorList":[' || errors || ']', '')
    || '}'
$$;

-- Whether an organisation is named by a declaration as one that may present its goods.
create function may_present(
  presenter integer, declarant integer, representative integer, carrier integer, presenters integer[]
) returns boolean language sql immutable as $$
  select presenter in (declarant, representative, carrier) or presenter = any(presenters)
$$;

-- Who else may present the goods of a declaration, where only those may whom it names.
alter table entry_summary_declaration
  add column carrier integer references organisation,
  add column presenters integer[];
