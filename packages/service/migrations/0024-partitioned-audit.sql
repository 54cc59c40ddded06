-- locks: reads and writes of audit_record, consignment_event and feed_access, for a moment
--
-- The tables that grow with every change and every read are partitioned by the time at which a row was recorded. The
-- existing table becomes the last partition of the new one, for all times, so no row is read or copied. Servers close it
-- at the end of a later month, and create the partitions of further months (database/partitions.ts). The last partition
-- has no end, so a row always has a partition.
--
-- The keys are those of each partition: PostgreSQL could only have a key of the whole table that contains the time. A
-- position is given once per chain, under the lock of the chain.

-- The time at which the last record of the transaction was appended: the rows that belong to a record are in the same
-- partition.
create function audit_time() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('landfall.audit_time', true), '')::timestamptz, now())
$$;

-- Existing rows count as recorded now.
alter table audit_record add column recorded_at timestamptz not null default now();
alter table audit_record alter column recorded_at set default clock_timestamp();
alter table audit_record rename to audit_record_later;
create table audit_record (like audit_record_later including defaults including storage) partition by range (recorded_at);
alter table audit_record attach partition audit_record_later for values from (minvalue) to (maxvalue);

alter table consignment_event add column recorded_at timestamptz not null default now();
alter table consignment_event alter column recorded_at set default audit_time();
alter table consignment_event rename to consignment_event_later;
create table consignment_event (like consignment_event_later including defaults) partition by range (recorded_at);
alter table consignment_event attach partition consignment_event_later for values from (minvalue) to (maxvalue);

alter table feed_access add column recorded_at timestamptz not null default now();
alter table feed_access alter column recorded_at set default audit_time();
alter table feed_access rename to feed_access_later;
create table feed_access (like feed_access_later including defaults) partition by range (recorded_at);
alter table feed_access attach partition feed_access_later for values from (minvalue) to (maxvalue);

-- Renaming has moved it to the partition.
create or replace view audit_chain as
  with recursive found as (
    select min(chain) as chain from audit_record
    union all
    select (select min(r.chain) from audit_record r where r.chain > found.chain) from found where chain is not null
  )
  select chain from found where chain is not null;

-- What retention has removed of the audit trail: all that was recorded before a time. Of records, where each chain ended
-- then. A record of the trail has the same.
create table audit_removal (
  kind text collate "C" primary key check (kind in ('records', 'feed accesses')),
  until timestamptz not null,
  ends jsonb not null
);

-- Appends a record as before (0013). Within a chain the time never decreases, so a partition has consecutive positions,
-- and the end of a chain is in the newest partition that has records of the chain.
create or replace function append_audit_record(lock_namespace integer, entry text, out chain integer, out "position" bigint)
language plpgsql as $$
declare
  chains constant integer := 32; -- more than transactions that append at one moment
  locked boolean;
  last_position bigint;
  last_digest bytea;
  last_time timestamptz;
begin
  for step in 1 .. chains loop
    chain := (pg_backend_pid() + step) % chains + 1;
    locked := pg_try_advisory_xact_lock(lock_namespace, chain);
    exit when locked;
  end loop;
  if not locked then
    perform pg_advisory_xact_lock(lock_namespace, chain);
  end if;

  -- Without older partitions: of ten years there are 120.
  select r.position, r.digest, r.recorded_at into last_position, last_digest, last_time
  from audit_record r where r.chain = append_audit_record.chain and r.recorded_at >= now() - interval '40 days'
  order by r.position desc limit 1;
  if not found then
    select r.position, r.digest, r.recorded_at into last_position, last_digest, last_time
    from audit_record r where r.chain = append_audit_record.chain order by r.position desc limit 1;
  end if;
  if not found then
    select (e ->> 'position')::bigint, decode(e ->> 'digest', 'hex'), removal.until into last_position, last_digest, last_time
    from audit_removal removal, jsonb_array_elements(removal.ends) e
    where removal.kind = 'records' and (e ->> 'chain')::integer = append_audit_record.chain;
  end if;
  position := coalesce(last_position, 0) + 1;
  last_time := greatest(last_time, clock_timestamp());
  perform set_config('landfall.audit_time', last_time::text, true);
  insert into audit_record (chain, position, digest, entry, recorded_at)
  values (append_audit_record.chain, append_audit_record.position,
    sha256(coalesce(last_digest, '') || convert_to(append_audit_record.entry, 'UTF8')), append_audit_record.entry, last_time);
end
$$;
