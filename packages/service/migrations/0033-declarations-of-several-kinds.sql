-- locks: entry_summary_declaration, for a moment
--
-- One table of declarations, whoever has made them: what joins a house consignment to its parties and is locked with it is
-- the same for what carriers lodge. The entry summary declarations (ENS) in it have their name from now on as a view, which
-- servers of the previous release read and write.
alter table entry_summary_declaration rename to declaration;

-- What it is, if it is not an ENS: TRANSPORT, MASTER or HOUSE. Null in all rows that were there before, which keep their
-- digests in the audit trail.
alter table declaration add kind text collate "C";

create view entry_summary_declaration as
  select id, mrn, customs_office_of_first_entry, declarant, representative, estimated_time_of_arrival, transport_means_number, transport_means_type,
    carrier, presenters, version, withdrawal, source_version
  from declaration where kind is null;

-- The audit trail has one name for the rows of a table, for ever: records and exported months name it. `source` is what the
-- table is called now, if that is another name.
alter table audited_table add source text collate "C";
update audited_table set source = 'declaration' where name = 'entry_summary_declaration';

-- As before, for tables that were renamed too.
create or replace function audit_table(table_name text, key text[], derived text[]) returns void language plpgsql as $outer$
declare
  label constant text := coalesce((select name from audited_table where source = audit_table.table_name), audit_table.table_name);
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
  select columns into kept from audited_table where name = label;
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

  covered := row(label, kept,
    case
      when key @> primary_key then format('select audited_digest(%s) as digest, row(%s)::text as key from %%s r', content, keys)
      else format('select audited_digest(string_agg(content, '''')) as digest, row(%2$s)::text as key
        from (select %2$s, %1$s as content from %%s r order by %2$s, content) r group by %2$s', content, keys)
    end, nullif(table_name, label));
  delete from audited_table where name = label;
  insert into audited_table select covered.*;

  execute format(body, 'audit_inserted_' || label, '', label,
    format('select ''+'' as change, digest from (%s) written', format(covered.digests, 'new_rows')));
  execute format(body, 'audit_deleted_' || label, '', label,
    format('select ''-'' as change, digest from (%s) gone', format(covered.digests, 'old_rows')));
  execute format(body, 'audit_updated_' || label,
    format('if (
    select count(*) from old_rows o join new_rows n using (%s) where (%s) is not distinct from (%s)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;',
      (select string_agg(quote_ident(column_name), ', ') from unnest(primary_key) column_name),
      (select string_agg(format('o.%I', column_name), ', ') from unnest(added) column_name),
      (select string_agg(format('n.%I', column_name), ', ') from unnest(added) column_name)),
    label,
    format('
        select ''-'' as change, digest
        from ((select digest from (%1$s) old) except all (select digest from (%2$s) new)) gone
        union all
        select ''+'' as change, digest
        from ((select digest from (%2$s) new) except all (select digest from (%1$s) old)) written',
      format(covered.digests, 'old_rows'), format(covered.digests, 'new_rows')));
  execute format('
    create or replace trigger audit_inserted after insert on %1$s referencing new table as new_rows
      for each statement execute function audit_inserted_%2$s();
    create or replace trigger audit_deleted after delete on %1$s referencing old table as old_rows
      for each statement execute function audit_deleted_%2$s();
    create or replace trigger audit_updated after update on %1$s referencing old table as old_rows new table as new_rows
      for each statement execute function audit_updated_%2$s();', table_name, label);

  execute 'create or replace view audited_row (table_name, digest, key) as ' || (
    select string_agg(format('select %1$L, digest, key from (%2$s) r', name, format(digests, coalesce(source, name))), '
    union all ' order by name)
    from audited_table);
end
$outer$;

select audit_table('declaration', '{id}', '{}');

-- As before, of every kind.
create or replace function find_house_consignment(mrn text, document_number text, document_type text)
returns table (houses integer, house uuid) language sql stable as $$
  select count(*)::integer, case when count(*) = 1 then (array_agg(id))[1] end
  from (
    (select h.id from declaration e
      cross join lateral (
        select * from house_consignment
        where ens_id = e.id and document_key = identifier_key($2) and house_consignment.document_type = $3
        order by only_spelling offset 0
      ) h
      where e.mrn = $1 and (h.only_spelling is null or h.only_spelling = $2) limit 1)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_key = identifier_key($2) and h.document_type = $3
        and (h.only_spelling is null or h.only_spelling = $2) limit 2)
  ) found
$$;

-- As before, of every kind.
create or replace function keep_declaration_of_status() returns trigger language plpgsql as $$
begin
  insert into removed_status_ens (ens_id, owner)
  select e.id, old.owner from declaration e
  where e.id = old.ens_id
    and not exists (select from removed_status_ens r where r.ens_id = old.ens_id and r.owner = old.owner)
  -- One that is being deleted is left out instead of breaking the reference.
  for key share of e
  on conflict do nothing;
  return null;
end
$$;

-- As before, of every kind, except by the MRN of an ENS.
create or replace function reach_level(
  level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean
) returns table (house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
language plpgsql stable as $$
declare
  reference_key constant text := identifier_key(reference);
begin
  if level = 'MASTER_CONSIGNMENT' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h
        where h.master_document_key = reference_key and h.master_document_type = reference_type
        order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_key = reference_key and h.master_document_type = reference_type and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g
      where g.ens_id = e.id and g.master_document_key = reference_key and g.master_document_type = reference_type
      offset 0
    ) h
    where (reach_level.mrn is null or e.mrn = reach_level.mrn)
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  elsif level = 'RECEPTACLE' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h where h.receptacle_id = reference and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g where g.ens_id = e.id and g.receptacle_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'CONTAINER' then
    return query
    with recursive found (id) as (
      (select c.ens_id from house_consignment_container c where c.container_id = reference order by c.ens_id limit 1)
      union all
      select (select c.ens_id from house_consignment_container c
        where c.container_id = reference and c.ens_id > found.id order by c.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment_container c
      join house_consignment g on g.id = c.house_consignment_id
      where c.ens_id = e.id and c.container_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'ENTRY_SUMMARY_DECLARATION' then
    return query
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from entry_summary_declaration e
    left join house_consignment h on h.ens_id = e.id
    where e.mrn = reference and e.withdrawal is null
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  end if;
end
$$;
