-- locks: nothing
--
-- What several statements share: appending a record to the audit trail, the digest of a feed entry, and finding the house
-- consignment that a reference leads to.

-- Appends a record to a chain of the audit trail that no other transaction appends to, and keeps the chain locked until
-- the end of the transaction. The lock is the last one that a transaction takes, so its holder waits for nothing more.
-- Sessions begin at different chains: the first attempt nearly always succeeds, and when all chains are locked it waits
-- for one. Each statement of a volatile function sees what was committed before that statement, so the end of the chain
-- is read after the lock.
create function append_audit_record(lock_namespace integer, entry text, out chain integer, out "position" bigint)
language plpgsql as $$
declare
  chains constant integer := 32; -- more than transactions that append at one moment
  locked boolean;
  last_position bigint;
  last_digest bytea;
begin
  for step in 1 .. chains loop
    chain := (pg_backend_pid() + step) % chains + 1;
    locked := pg_try_advisory_xact_lock(lock_namespace, chain);
    exit when locked;
  end loop;
  if not locked then
    perform pg_advisory_xact_lock(lock_namespace, chain);
  end if;

  select r.position, r.digest into last_position, last_digest
  from audit_record r where r.chain = append_audit_record.chain order by r.position desc limit 1;
  position := coalesce(last_position, 0) + 1;
  insert into audit_record (chain, position, digest, entry)
  values (append_audit_record.chain, append_audit_record.position,
    sha256(coalesce(last_digest, '') || convert_to(append_audit_record.entry, 'UTF8')), append_audit_record.entry);
end
$$;

-- The functions below are one query each, and no more volatile than they say: so PostgreSQL puts them into the query that
-- calls them, instead of running a query for each row.

-- The digest of a feed entry, as the audit record of the statement that appends it has it.
create function entry_digest(entry text) returns bytea language sql stable as $$
  select sha256(convert_to(entry, 'UTF8'))
$$;

-- A time as the API writes it: UTC, with milliseconds.
create function api_time(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- How many house consignments a transport document leads to, with an MRN or without: 0, 1, or 2 for several; and which
-- one it is where there is one.
create function find_house_consignment(mrn text, document_number text, document_type text)
returns table (houses integer, house uuid) language sql stable as $$
  select count(*)::integer, case when count(*) = 1 then (array_agg(id))[1] end
  from (
    (select h.id from entry_summary_declaration e
      join house_consignment h on h.ens_id = e.id and h.document_number = $2 and h.document_type = $3
      where e.mrn = $1 limit 1)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_number = $2 and h.document_type = $3 limit 2)
  ) found
$$;
