-- locks: nothing
--
-- Validation statuses name the members of a presentation that were ignored. Servers of the previous release go on calling
-- the function with eight arguments.

-- The text of a validation status; `errors` and `ignored` are lists without their brackets.
create function validation_status_entry(
  request_id text, failed boolean, level text, notified text, mrn text, office text, houses bigint, errors text, ignored text
) returns text language sql immutable as $$
  select left(validation_status_entry(request_id, failed, level, notified, mrn, office, houses, errors), -1)
    || coalesce(',"ignoredMembers":[' || ignored || ']', '')
    || '}'
$$;
