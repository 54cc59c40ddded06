-- locks: each table that the audit trail covers, for a moment
--
-- The audit trail has a digest of each row that is written or removed in the tables that it covers. So the rows that the
-- trail says there are can be compared with those in the tables.

-- The tables that the audit trail covers. A digest is that of the rows with the same key, which are written and removed
-- together: mostly one row. `digests` selects the digest and the key from the source that it names as %s.
create table audited_table (
  name text collate "C" primary key,
  columns text[] not null,
  digests text not null
);

-- What the records do not say of rows: those that were there before they were covered, and those of records that retention
-- has removed. `rows` is negative if the records only say that such a row was removed. A record has the digest of this table.
create table audited_row_base (
  table_name text collate "C" not null,
  digest text collate "C" not null,
  rows bigint not null,
  primary key (table_name, digest)
);

-- 192 bits in 32 characters.
create function audited_digest(contents bytea) returns text language sql immutable as $$
  select encode(substr(sha256(contents), 1, 24), 'base64')
$$;

-- Appends a record to a chain that no other transaction appends to, and keeps the chain locked until the end of the
-- transaction. The lock is the last one that a transaction takes, so its holder waits for nothing more. Sessions begin at
-- different chains: the first attempt nearly always succeeds, and when all chains are locked it waits for one. Each
-- statement of a volatile function sees what was committed before that statement, so the end of the chain is read after
-- the lock. Within a chain the time never decreases, so a partition has consecutive positions.
create function extend_audit_chain(lock_namespace integer, entry text, out chain integer, out "position" bigint)
language plpgsql as $$
declare
  chains constant integer := 32; -- the rows of audit_chain_end
  locked boolean;
  new_digest bytea;
  new_time timestamptz;
begin
  for step in 1 .. chains loop
    chain := (pg_backend_pid() + step) % chains + 1;
    locked := pg_try_advisory_xact_lock(lock_namespace, chain);
    exit when locked;
  end loop;
  if not locked then
    perform pg_advisory_xact_lock(lock_namespace, chain);
  end if;

  update audit_chain_end last set
    position = last.position + 1,
    digest = sha256(last.digest || convert_to(extend_audit_chain.entry, 'UTF8')),
    recorded_at = greatest(last.recorded_at, clock_timestamp())
  where last.ctid = ( -- the newest version, as in append_to_feeds
    select newest.ctid from audit_chain_end newest
    where newest.chain <= extend_audit_chain.chain order by newest.chain desc limit 1)
  returning last.position, last.digest, last.recorded_at into extend_audit_chain.position, new_digest, new_time;
  perform set_config('landfall.audit_time', new_time::text, true);
  insert into audit_record (chain, position, digest, entry, recorded_at)
  values (extend_audit_chain.chain, extend_audit_chain.position, new_digest, extend_audit_chain.entry, new_time);
end
$$;

-- Records the digests of rows of a table that were written (`+`) or removed (`-`): lists without blanks around them,
-- separated by semicolons. They are in the next record of the transaction; after its record they are in one of their own.
create function note_audited_rows(lists text) returns void language plpgsql as $$
begin
  if coalesce(current_setting('landfall.audit_time', true), '') = '' then
    perform set_config('landfall.audited_rows',
      concat_ws(';', nullif(current_setting('landfall.audited_rows', true), ''), lists), true);
  else
    perform append_audited_rows(lists);
  end if;
end
$$;

-- Appends a record that has nothing but digests of rows; 3 is the number of the audit trail's locks.
create function append_audited_rows(lists text) returns void language sql volatile as $$
  select extend_audit_chain(3, '{"at":"' || api_time(clock_timestamp())
    || '","action":"rows.recorded","details":{},"rowDigests":"' || lists || '"}')
$$;

-- Appends a record with the digests of the rows that the transaction has written since its last record. Very many are in
-- records of their own, each of at most a few megabytes.
create or replace function append_audit_record(
  lock_namespace integer, entry text, out chain integer, out "position" bigint
) language plpgsql as $$
declare
  lists text := nullif(current_setting('landfall.audited_rows', true), '');
  list text;
begin
  if lists is not null then
    perform set_config('landfall.audited_rows', '', true);
    if length(lists) > 1000000 then
      for list in select string_to_table(lists, ';') loop
        perform append_audited_rows(list);
      end loop;
    else
      entry := left(entry, -1) || ',"rowDigests":"' || lists || '"}';
    end if;
  end if;
  select e.chain, e.position into append_audit_record.chain, append_audit_record.position
  from extend_audit_chain(lock_namespace, append_audit_record.entry) e;
end
$$;

-- Covers a table, or covers it anew after columns were added: a row in which these are null keeps its digest. Verification
-- derives the columns in `derived` from other rows, so the trail has no digest of them. Changes of rows are found by
-- statement, so covering a table costs each statement some microseconds, and no row a row.
create function audit_table(table_name text, key text[], derived text[]) returns void language plpgsql as $outer$
declare
  kept text[];
  added text[];
  content text;
  keys constant text := (select string_agg(format('r.%I', column_name), ', ') from unnest(key) column_name);
  primary_key constant text[] := array(
    select attname::text from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = audit_table.table_name::regclass and indisprimary);
  covered audited_table;
  body constant text := $body$
create or replace function %1$s() returns trigger language plpgsql as $$
declare
  lists text;
begin
  %2$s
  select string_agg(list, ';') into lists
  from (
    select change || '%3$s ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (%4$s) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$ $body$;
begin
  select columns into kept from audited_table where name = audit_table.table_name;
  select coalesce(kept, array_agg(attname::text order by attnum)), array_agg(attname::text order by attnum)
  into kept, added
  from pg_attribute
  where attrelid = audit_table.table_name::regclass and attnum > 0 and not attisdropped and attname <> all (derived);

  select 'record_send(row(' || string_agg(format('r.%I', column_name), ', ') || '))' into content
  from unnest(kept) column_name;
  select content || coalesce(string_agg(
    format(' || case when r.%1$I is null then '''' else record_send(row(r.%1$I)) end', column_name), ''), '')
  into content
  from unnest(added) column_name where column_name <> all (kept);

  covered := row(table_name, kept,
    case
      when key @> primary_key then format('select audited_digest(%s) as digest, row(%s)::text as key from %%s r', content, keys)
      else format('select audited_digest(string_agg(content, '''')) as digest, row(%2$s)::text as key
        from (select %2$s, %1$s as content from %%s r order by %2$s, content) r group by %2$s', content, keys)
    end);
  delete from audited_table where name = audit_table.table_name;
  insert into audited_table select covered.*;

  execute format(body, 'audit_inserted_' || table_name, '', table_name,
    format('select ''+'' as change, digest from (%s) written', format(covered.digests, 'new_rows')));
  execute format(body, 'audit_deleted_' || table_name, '', table_name,
    format('select ''-'' as change, digest from (%s) gone', format(covered.digests, 'old_rows')));
  execute format(body, 'audit_updated_' || table_name,
    format('if (
    select count(*) from old_rows o join new_rows n using (%s) where (%s) is not distinct from (%s)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;',
      (select string_agg(quote_ident(column_name), ', ') from unnest(primary_key) column_name),
      (select string_agg(format('o.%I', column_name), ', ') from unnest(added) column_name),
      (select string_agg(format('n.%I', column_name), ', ') from unnest(added) column_name)),
    table_name,
    format('
        select ''-'' as change, digest
        from ((select digest from (%1$s) old) except all (select digest from (%2$s) new)) gone
        union all
        select ''+'' as change, digest
        from ((select digest from (%2$s) new) except all (select digest from (%1$s) old)) written',
      format(covered.digests, 'old_rows'), format(covered.digests, 'new_rows')));
  execute format('
    create or replace trigger audit_inserted after insert on %1$s referencing new table as new_rows
      for each statement execute function audit_inserted_%1$s();
    create or replace trigger audit_deleted after delete on %1$s referencing old table as old_rows
      for each statement execute function audit_deleted_%1$s();
    create or replace trigger audit_updated after update on %1$s referencing old table as old_rows new table as new_rows
      for each statement execute function audit_updated_%1$s();', table_name);

  execute 'create or replace view audited_row (table_name, digest, key) as ' || (
    select string_agg(format('select %1$L, digest, key from (%2$s) r', name, format(digests, name)), '
    union all ' order by name)
    from audited_table);
end
$outer$;

select audit_table(name, key, derived)
from (values
  ('organisation', '{id}'::text[], '{}'::text[]),
  ('organisation_scope', '{organisation_id,scope}', '{}'),
  ('client', '{organisation_id,client_id}', '{}'),
  ('removed_client', '{organisation_id,client_id}', '{}'),
  ('customs_office', '{reference_number}', '{}'),
  ('code_list_import', '{code_list}', '{}'),
  ('registration', '{id}', '{}'),
  ('entry_summary_declaration', '{id}', '{}'),
  -- The current decision is the last in routing_decision.
  ('house_consignment', '{id}', '{routing,routing_control_location}'),
  ('house_consignment_container', '{container_id,house_consignment_id}', '{}'),
  ('withdrawn_house_consignment', '{id}', '{}'),
  -- Goods wait for a decision if they have none. A presentation adds up to three rows for each house consignment.
  ('signal_recipient', '{house_consignment_id,presenter,request_id}', '{awaits_decision}'),
  ('level_presentation', '{ens_id,presenter,request_id}', '{}'),
  ('presented_reference', '{number}', '{}'),
  ('entered_house_consignment', '{house_consignment_id,presentation}', '{}'),
  ('routing_decision', '{house_consignment_id,number}', '{}'),
  -- A decision issues a signal to each recipient.
  ('issued_signal', '{house_consignment_id,decision}', '{}'),
  ('routing_profile', '{name,version}', '{}'),
  ('validation_status_ens', '{owner,ens_id,position}', '{}'),
  ('removed_status_ens', '{ens_id,owner}', '{}')
) covered (name, key, derived);

-- Every digest of a row that a record has, up to those records that retention has removed or is about to remove. Only an
-- unescaped quotation mark ends a member of a record, so no text that somebody else has sent begins the lists.
create view audited_row_record (table_name, digest, rows, chain, position, recorded_at) as
  select split_part(substr(list, 2), ' ', 1), item, case left(list, 1) when '+' then 1 when '-' then -1 end::bigint,
    chain, position, recorded_at
  from audit_record
  cross join lateral string_to_table(split_part(split_part(entry, ',"rowDigests":"', 2), '"', 1), ';') list
  cross join lateral string_to_table(substr(list, strpos(list, ' ') + 1), ' ') item
  where strpos(entry, ',"rowDigests":"') > 0
    and recorded_at >= coalesce((select until from audit_removal where kind = 'records'), '-infinity');

-- The rows that the trail has and the tables lack (`rows` > 0), and those that the tables have and the trail lacks.
create view audited_difference (table_name, digest, rows, chain, position, key) as
  select table_name, digest, sum(rows)::bigint, max(chain), max(position), max(key)
  from (
    select table_name, digest, rows, chain, position, null as key from audited_row_record
    union all
    select table_name, digest, rows, null, null, null from audited_row_base
    union all
    select table_name, digest, -1, null, null, key from audited_row
  ) each
  group by table_name, digest
  having sum(rows) <> 0;

-- The digest of audited_row_base, of digests of its parts, because the whole may be too long for one text.
create function digest_audited_row_base() returns text language sql stable as $$
  select encode(sha256(convert_to(coalesce(string_agg(digest, '' order by part), ''), 'UTF8')), 'hex')
  from (
    select left(digest, 2) as part, encode(sha256(convert_to(
      string_agg(table_name || ' ' || digest || ' ' || rows, E'\n' order by table_name, digest), 'UTF8')), 'hex') as digest
    from audited_row_base group by left(digest, 2)
  ) parts
$$;

create sequence audited_row_base_number;

-- Records what audited_row_base is, after it was changed: `number` says which record is the last.
create function record_audited_row_base() returns void language sql volatile as $$
  select append_audit_record(3, '{"at":"' || api_time(clock_timestamp()) || '","action":"rows.base","details":{"rowBase":{"number":'
    || nextval('audited_row_base_number') || ',"digest":"' || digest_audited_row_base() || '"}}}')
$$;

-- Takes what the tables have and the trail does not say as it is: the state from which the trail continues. Everything
-- is read at one moment, so that it may change meanwhile.
create function accept_audited_rows() returns void language plpgsql as $$
begin
  lock table audited_row_base in exclusive mode;
  insert into audited_row_base as base (table_name, digest, rows)
  select table_name, digest, -rows from audited_difference
  on conflict (table_name, digest) do update set rows = base.rows + excluded.rows;
  if found then
    delete from audited_row_base where rows = 0;
    perform record_audited_row_base();
  end if;
end
$$;

-- Keeps what the records before a time say of rows, before retention removes these records.
create function keep_audited_rows(before timestamptz) returns void language plpgsql as $$
begin
  lock table audited_row_base in exclusive mode;
  insert into audited_row_base as base (table_name, digest, rows)
  select table_name, digest, sum(rows) from audited_row_record where recorded_at < before
  group by table_name, digest having sum(rows) <> 0
  on conflict (table_name, digest) do update set rows = base.rows + excluded.rows;
  delete from audited_row_base where rows = 0;
  if exists (select from audited_row_base) then
    perform record_audited_row_base();
  end if;
end
$$;
