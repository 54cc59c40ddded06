-- The schema after all migrations. Generated: change packages/service/migrations/, then npm run generate.

CREATE TYPE public.new_entry AS (
	kind integer,
	owner integer,
	id uuid,
	head text,
	tail text,
	failed boolean,
	ens_id integer,
	declaration text COLLATE pg_catalog."C",
	number bigint,
	topic text,
	published_at timestamp with time zone
);

CREATE FUNCTION public.accept_audited_rows() RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  tables json;
begin
  lock table audited_row_base in exclusive mode;
  perform set_config('landfall.audited_rows', '', true);
  with difference as materialized (
    select * from audited_difference
  ),
  accepted as (
    insert into audited_row_base as base (table_name, digest, rows)
    select table_name, digest, -rows from difference
    on conflict (table_name, digest) do update set rows = base.rows + excluded.rows
  )
  select json_object_agg(table_name, rows) into tables
  from (select table_name, sum(abs(rows)) as rows from difference group by table_name order by table_name) each;
  if tables is not null then
    delete from audited_row_base where rows = 0;
    perform record_accepted_rows(tables);
  end if;
end
$$;

CREATE FUNCTION public.add_document_keys() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.document_key := identifier_key(new.document_number);
  new.master_document_key := identifier_key(new.master_document_number);
  update house_consignment set only_spelling = document_number
  where ens_id = new.ens_id and document_key = new.document_key and document_type = new.document_type;
  if found then
    new.only_spelling := new.document_number;
  end if;
  return new;
end
$$;

CREATE FUNCTION public.added_after_presentation(house uuid) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'by', (select identifier from organisation o where o.id = l.presenter),
    'at', to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'requestId', l.request_id,
    'level', l.level)
  from house_consignment h
  join level_presentation l on l.ens_id = h.ens_id
  where h.id = house
    and l.at <= (select r.at from registration r where r.id = h.registration)
    and case l.level
      when 'ENTRY_SUMMARY_DECLARATION' then true
      when 'MASTER_CONSIGNMENT' then l.reference = h.master_document_number and l.document_type = h.master_document_type
      when 'RECEPTACLE' then l.reference = h.receptacle_id
      when 'CONTAINER' then (
        select true from house_consignment_container c
        where c.house_consignment_id = h.id and c.container_id = l.reference limit 1)
    end
    and (
      select true from signal_recipient c
      where c.house_consignment_id = h.id and c.presenter = l.presenter and c.request_id = l.request_id limit 1) is null
  order by l.at limit 1
$$;

CREATE FUNCTION public.api_time(at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE FUNCTION public.append_audit_record(lock_namespace integer, entry text, OUT chain integer, OUT "position" bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.append_audited_rows(lists text) RETURNS void
    LANGUAGE sql
    AS $$
  select extend_audit_chain(3, '{"at":"' || api_time(clock_timestamp())
    || '","action":"rows.recorded","details":{},"rowDigests":"' || lists || '"}')
$$;

CREATE FUNCTION public.append_to_feeds(entries public.new_entry[], lock_namespace integer, record text, OUT positions bigint[], OUT appended text) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  ends bigint[]; -- where the feeds ended before, in the order of the feeds
  ranges text;
begin
  -- A row that every batch changes has many versions while some transaction runs for long. The newest is the last one in
  -- the index, so it is read from that end; with an equality instead of `between`, it would be read from the other.
  with feed as materialized (
    select kind, owner, count(*) as entries, (
      select s.ctid from feed_state s
      where s.kind = e.kind and s.owner between e.owner and e.owner order by s.owner desc limit 1
    ) as stored_at
    from unnest(append_to_feeds.entries) e group by kind, owner
  ),
  grown as (
    update feed_state s set position = s.position + feed.entries from feed where s.ctid = feed.stored_at
    returning s.kind, s.owner, s.position, s.position - feed.entries as before
  ),
  begun as (
    insert into feed_state (kind, owner, position) select kind, owner, feed.entries from feed where stored_at is null
    returning kind, owner, position, 0::bigint as before
  )
  select array_agg(before order by kind, owner),
    string_agg(kind || '/' || owner || '/' || before + 1 || '-' || position, ' ' order by kind, owner)
  into ends, ranges
  from (select * from grown union all select * from begun) feed;

  with numbered as (
    select e.*, ends[dense_rank() over (order by kind, owner)]
      + row_number() over (partition by kind, owner order by ordinal) as position
    from unnest(append_to_feeds.entries) with ordinality as e (kind, owner, id, head, tail, failed, ens_id, declaration,
      number, topic, published_at, ordinal)
  ),
  entry as materialized (
    select kind, owner, position, new_id, failed, ens_id, declaration, number, topic, published_at, ordinal,
      head || coalesce(new_id::text || tail, '') as entry
    from (
      select n.*, coalesce(id, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0)))) as new_id
      from numbered n
      offset 0 -- so that each marker is minted once, not wherever it is used
    ) minted
  ),
  new_status as (
    insert into validation_status (owner, position, id, failed, ens_id, entry)
    select owner, position, new_id, failed, ens_id, entry from entry where kind = 1
  ),
  new_signal as (
    insert into routing_signal (owner, position, id, entry)
    select owner, position, new_id, entry from entry where kind = 2
  ),
  new_goods_item_event as (
    insert into goods_item_event (owner, position, id, declaration, number, topic, requested_procedure, accepted_on,
      published_at, entry)
    select owner, position, new_id, declaration, number, split_part(topic, ' ', 1), nullif(split_part(topic, ' ', 2), ''),
      nullif(split_part(topic, ' ', 3), ''), published_at, entry
    from entry where kind = 6
  ),
  new_movement_status as (
    insert into movement_status (owner, position, id, failed, entry)
    select owner, position, new_id, failed, entry from entry where kind = 7
  )
  select array_agg(position order by ordinal),
    '{"entries":"' || ranges || '","digest":"'
      || encode(sha256(convert_to(string_agg(entry, '' order by kind, owner, position), 'UTF8')), 'hex') || '"}'
  into positions, appended
  from entry;

  if record is not null then
    perform append_audit_record(lock_namespace, record || ',"appended":[' || appended || ']}}');
  end if;
end
$$;

CREATE FUNCTION public.arrival_signal_of(house uuid) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select m.arrival_signal
  from signal_recipient c cross join lateral (select arrival_signal from movement where declaration_id = c.transport offset 0) m
  where c.house_consignment_id = house and c.transport is not null
$$;

CREATE FUNCTION public.arrived_signal_head(signal_head text, house uuid) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select signal_head
    || case when starts_with(signal_head, '{"houseConsignmentMRN"') then coalesce(arrival_signal_of(house), '') else '' end
$$;

CREATE FUNCTION public.audit_deleted_awaited_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'awaited_document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.reference))) as digest, row(r.declaration_id, r.kind, r.reference)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_client() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'client ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id, r.scopes, r.certificates, r.keys, r.blocked))) as digest, row(r.organisation_id, r.client_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_code_list_import() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'code_list_import ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.code_list, r.imported_at, r.entries))) as digest, row(r.code_list)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_customs_office() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'customs_office ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.reference_number, r.name, r.valid_from, r.valid_to)) || case when r.name_key is null then '' else record_send(row(r.name_key)) end) as digest, row(r.reference_number)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.declaration_id, r.id, r.document_type, r.file_name, r.kind, r.size, r.sha256, r.content, r.uploaded_at, r.client_id, r.request_id))) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_entered_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'entered_house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.house_consignment_id, r.presentation))) as digest, row(r.house_consignment_id, r.presentation)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_entry_summary_declaration() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'entry_summary_declaration ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.mrn, r.customs_office_of_first_entry, r.declarant, r.representative, r.estimated_time_of_arrival, r.transport_means_number, r.transport_means_type, r.carrier, r.presenters, r.version, r.withdrawal)) || case when r.source_version is null then '' else record_send(row(r.source_version)) end || case when r.kind is null then '' else record_send(row(r.kind)) end) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_goods_item_view() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'goods_item_view ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.version, r.conditions, r.changed_at, r.changed_by, r.changed_by_client))) as digest, row(r.organisation_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.registration, r.registered_routing, r.registered_control_location, r.subheadings)) || case when r.only_spelling is null then '' else record_send(row(r.only_spelling)) end) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_house_consignment_container() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'house_consignment_container ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.container_id, r.house_consignment_id, r.ens_id))) as digest, row(r.container_id, r.house_consignment_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_issued_signal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'issued_signal ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.decision)::text as key
        from (select r.house_consignment_id, r.decision, record_send(row(r.house_consignment_id, r.owner, r."position", r.decision)) as content from old_rows r order by r.house_consignment_id, r.decision, content) r group by r.house_consignment_id, r.decision) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_kept_control() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'kept_control ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.document_key, r.document_type, r.relation, r.location, r.house_consignment_id, r.kept_at))) as digest, row(r.document_key, r.document_type, r.relation, r.location)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_level_presentation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'level_presentation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.ens_id, r.presenter, r.request_id, r.at, r.level, r.reference, r.document_type))) as digest, row(r.ens_id, r.presenter, r.request_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_movement() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.level, r.mode, r.submitter, r.representative, r.key, r.state, r.request_id, r.lodged_at, r.replaced_at, r.ended_at, r.document_number, r.document_type, r.carrier, r.means, r.listed, r.reasons, r.completed_at, r.text_removed_at, r.estimated_at, r.scheduled_at, r.conveyance, r.office, r.weight, r.house_key, r.arrived_at, r.arrival_office, r.arrival_request_id, r.arrival_recorded_at, r.arrival_signal)) || case when r.import_procedure is null then '' else record_send(row(r.import_procedure)) end || case when r.outgoing_procedure is null then '' else record_send(row(r.outgoing_procedure)) end || case when r.consignor_country is null then '' else record_send(row(r.consignor_country)) end) as digest, row(r.declaration_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_movement_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_reference ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.number, r.reference, r.reference_type))) as digest, row(r.declaration_id, r.kind, r.number)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_movement_relation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_relation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.mrn, r.parent, r.child, r.maker, r.request_id, r.related_at, r.cancelled_at))) as digest, row(r.mrn)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_movement_text() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_text ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.body))) as digest, row(r.declaration_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_organisation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.identifier, r.name, r.kind, r.blocked, r.created_at))) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_organisation_number() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation_number ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.number, r.organisation_id))) as digest, row(r.number)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_organisation_scope() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation_scope ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.scope, r.granted_at))) as digest, row(r.organisation_id, r.scope)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_presented_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'presented_reference ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.number, r.level, r.reference, r.document_type, r.mrn, r.presenter, r.request_id, r.at, r.expected_only))) as digest, row(r.number)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_push_subscription() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'push_subscription ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.organisation_id, r.client_id, r.kind, r.owner, r.url, r.signature, r.created_at))) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_reference_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'reference_document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.kind, r.reference, r.state, r.registered_at, r.changed_at))) as digest, row(r.kind, r.reference)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_registration() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'registration ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.at, r.organisation_id, r.client_id, r.request_id))) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_removed_client() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'removed_client ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id))) as digest, row(r.organisation_id, r.client_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_removed_status_ens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'removed_status_ens ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.ens_id, r.owner))) as digest, row(r.ens_id, r.owner)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_routing_decision() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_decision ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.house_consignment_id, r.number, r.decided_at, r.routing, r.routing_control_location, r.reason, r.organisation_id, r.client_id, r.request_id, r.profile, r.profile_version, r.profile_rule, r.origin, r.takes_effect, r.decision_id)) || case when r.run_id is null then '' else record_send(row(r.run_id)) end || case when r.taken_from is null then '' else record_send(row(r.taken_from)) end || case when r.first_decided_at is null then '' else record_send(row(r.first_decided_at)) end) as digest, row(r.house_consignment_id, r.number)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_routing_profile() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_profile ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.name, r.version, r.created_at, r.profile, r.live_since))) as digest, row(r.name, r.version)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_routing_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_run ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.created_at, r.state, r.version, r.state_changed_at, r.problem, r.selection, r.routing, r.routing_control_location, r.reason, r.origin, r.organisation_id, r.client_id, r.request_id, r.reverses, r.house_consignments, r.decided, r.unchanged, r.conflicts, r.refused, r.signals)) || case when r.confirmed_at is null then '' else record_send(row(r.confirmed_at)) end || case when r.confirmed_organisation_id is null then '' else record_send(row(r.confirmed_organisation_id)) end || case when r.confirmed_client_id is null then '' else record_send(row(r.confirmed_client_id)) end) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_routing_run_result() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_run_result ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.run_id, r.house_consignment_id, r.expected, r.routing, r.routing_control_location, r.status, r.error_code, r.decision))) as digest, row(r.run_id, r.house_consignment_id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_signal_recipient() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'signal_recipient ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.presenter, r.request_id)::text as key
        from (select r.house_consignment_id, r.presenter, r.request_id, record_send(row(r.house_consignment_id, r.organisation_id, r.presenter, r.request_id, r.signal_position, r.first_presented_at, r.office)) || case when r.transport is null then '' else record_send(row(r.transport)) end || case when r.master is null then '' else record_send(row(r.master)) end as content from old_rows r order by r.house_consignment_id, r.presenter, r.request_id, content) r group by r.house_consignment_id, r.presenter, r.request_id) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_unlo_code_group() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'unlo_code_group ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.prefix, r.codes, r.names, r.name_keys))) as digest, row(r.prefix)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_validation_status_ens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'validation_status_ens ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.owner, r.ens_id, r."position"))) as digest, row(r.owner, r.ens_id, r."position")::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_deleted_withdrawn_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'withdrawn_house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '-' as change, digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.routing, r.routing_control_location, r.registration, r.registered_routing, r.registered_control_location, r.subheadings, r.withdrawal))) as digest, row(r.id)::text as key from old_rows r) gone) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_awaited_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'awaited_document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.reference))) as digest, row(r.declaration_id, r.kind, r.reference)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_client() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'client ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id, r.scopes, r.certificates, r.keys, r.blocked))) as digest, row(r.organisation_id, r.client_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_code_list_import() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'code_list_import ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.code_list, r.imported_at, r.entries))) as digest, row(r.code_list)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_customs_office() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'customs_office ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.reference_number, r.name, r.valid_from, r.valid_to)) || case when r.name_key is null then '' else record_send(row(r.name_key)) end) as digest, row(r.reference_number)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.declaration_id, r.id, r.document_type, r.file_name, r.kind, r.size, r.sha256, r.content, r.uploaded_at, r.client_id, r.request_id))) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_entered_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'entered_house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.house_consignment_id, r.presentation))) as digest, row(r.house_consignment_id, r.presentation)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_entry_summary_declaration() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'entry_summary_declaration ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.mrn, r.customs_office_of_first_entry, r.declarant, r.representative, r.estimated_time_of_arrival, r.transport_means_number, r.transport_means_type, r.carrier, r.presenters, r.version, r.withdrawal)) || case when r.source_version is null then '' else record_send(row(r.source_version)) end || case when r.kind is null then '' else record_send(row(r.kind)) end) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_goods_item_view() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'goods_item_view ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.version, r.conditions, r.changed_at, r.changed_by, r.changed_by_client))) as digest, row(r.organisation_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.registration, r.registered_routing, r.registered_control_location, r.subheadings)) || case when r.only_spelling is null then '' else record_send(row(r.only_spelling)) end) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_house_consignment_container() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'house_consignment_container ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.container_id, r.house_consignment_id, r.ens_id))) as digest, row(r.container_id, r.house_consignment_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_issued_signal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'issued_signal ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.decision)::text as key
        from (select r.house_consignment_id, r.decision, record_send(row(r.house_consignment_id, r.owner, r."position", r.decision)) as content from new_rows r order by r.house_consignment_id, r.decision, content) r group by r.house_consignment_id, r.decision) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_kept_control() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'kept_control ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.document_key, r.document_type, r.relation, r.location, r.house_consignment_id, r.kept_at))) as digest, row(r.document_key, r.document_type, r.relation, r.location)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_level_presentation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'level_presentation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.ens_id, r.presenter, r.request_id, r.at, r.level, r.reference, r.document_type))) as digest, row(r.ens_id, r.presenter, r.request_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_movement() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.level, r.mode, r.submitter, r.representative, r.key, r.state, r.request_id, r.lodged_at, r.replaced_at, r.ended_at, r.document_number, r.document_type, r.carrier, r.means, r.listed, r.reasons, r.completed_at, r.text_removed_at, r.estimated_at, r.scheduled_at, r.conveyance, r.office, r.weight, r.house_key, r.arrived_at, r.arrival_office, r.arrival_request_id, r.arrival_recorded_at, r.arrival_signal)) || case when r.import_procedure is null then '' else record_send(row(r.import_procedure)) end || case when r.outgoing_procedure is null then '' else record_send(row(r.outgoing_procedure)) end || case when r.consignor_country is null then '' else record_send(row(r.consignor_country)) end) as digest, row(r.declaration_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_movement_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_reference ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.number, r.reference, r.reference_type))) as digest, row(r.declaration_id, r.kind, r.number)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_movement_relation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_relation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.mrn, r.parent, r.child, r.maker, r.request_id, r.related_at, r.cancelled_at))) as digest, row(r.mrn)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_movement_text() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_text ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.declaration_id, r.body))) as digest, row(r.declaration_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_organisation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.identifier, r.name, r.kind, r.blocked, r.created_at))) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_organisation_number() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation_number ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.number, r.organisation_id))) as digest, row(r.number)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_organisation_scope() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation_scope ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.scope, r.granted_at))) as digest, row(r.organisation_id, r.scope)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_presented_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'presented_reference ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.number, r.level, r.reference, r.document_type, r.mrn, r.presenter, r.request_id, r.at, r.expected_only))) as digest, row(r.number)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_push_subscription() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'push_subscription ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.organisation_id, r.client_id, r.kind, r.owner, r.url, r.signature, r.created_at))) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_reference_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'reference_document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.kind, r.reference, r.state, r.registered_at, r.changed_at))) as digest, row(r.kind, r.reference)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_registration() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'registration ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.at, r.organisation_id, r.client_id, r.request_id))) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_removed_client() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'removed_client ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id))) as digest, row(r.organisation_id, r.client_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_removed_status_ens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'removed_status_ens ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.ens_id, r.owner))) as digest, row(r.ens_id, r.owner)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_routing_decision() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_decision ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.house_consignment_id, r.number, r.decided_at, r.routing, r.routing_control_location, r.reason, r.organisation_id, r.client_id, r.request_id, r.profile, r.profile_version, r.profile_rule, r.origin, r.takes_effect, r.decision_id)) || case when r.run_id is null then '' else record_send(row(r.run_id)) end || case when r.taken_from is null then '' else record_send(row(r.taken_from)) end || case when r.first_decided_at is null then '' else record_send(row(r.first_decided_at)) end) as digest, row(r.house_consignment_id, r.number)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_routing_profile() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_profile ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.name, r.version, r.created_at, r.profile, r.live_since))) as digest, row(r.name, r.version)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_routing_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_run ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.created_at, r.state, r.version, r.state_changed_at, r.problem, r.selection, r.routing, r.routing_control_location, r.reason, r.origin, r.organisation_id, r.client_id, r.request_id, r.reverses, r.house_consignments, r.decided, r.unchanged, r.conflicts, r.refused, r.signals)) || case when r.confirmed_at is null then '' else record_send(row(r.confirmed_at)) end || case when r.confirmed_organisation_id is null then '' else record_send(row(r.confirmed_organisation_id)) end || case when r.confirmed_client_id is null then '' else record_send(row(r.confirmed_client_id)) end) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_routing_run_result() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_run_result ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.run_id, r.house_consignment_id, r.expected, r.routing, r.routing_control_location, r.status, r.error_code, r.decision))) as digest, row(r.run_id, r.house_consignment_id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_signal_recipient() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'signal_recipient ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.presenter, r.request_id)::text as key
        from (select r.house_consignment_id, r.presenter, r.request_id, record_send(row(r.house_consignment_id, r.organisation_id, r.presenter, r.request_id, r.signal_position, r.first_presented_at, r.office)) || case when r.transport is null then '' else record_send(row(r.transport)) end || case when r.master is null then '' else record_send(row(r.master)) end as content from new_rows r order by r.house_consignment_id, r.presenter, r.request_id, content) r group by r.house_consignment_id, r.presenter, r.request_id) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_unlo_code_group() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'unlo_code_group ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.prefix, r.codes, r.names, r.name_keys))) as digest, row(r.prefix)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_validation_status_ens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'validation_status_ens ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.owner, r.ens_id, r."position"))) as digest, row(r.owner, r.ens_id, r."position")::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_inserted_withdrawn_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  
  select string_agg(list, ';') into lists
  from (
    select change || 'withdrawn_house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (select '+' as change, digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.routing, r.routing_control_location, r.registration, r.registered_routing, r.registered_control_location, r.subheadings, r.withdrawal))) as digest, row(r.id)::text as key from new_rows r) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_table(table_name text, key text[], derived text[]) RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
$_$;

CREATE FUNCTION public.audit_time() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  select coalesce(nullif(current_setting('landfall.audit_time', true), '')::timestamptz, now())
$$;

CREATE FUNCTION public.audit_updated_awaited_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (declaration_id, kind, reference) where (o.declaration_id, o.kind, o.reference) is not distinct from (n.declaration_id, n.kind, n.reference)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'awaited_document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.reference))) as digest, row(r.declaration_id, r.kind, r.reference)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.reference))) as digest, row(r.declaration_id, r.kind, r.reference)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.reference))) as digest, row(r.declaration_id, r.kind, r.reference)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.reference))) as digest, row(r.declaration_id, r.kind, r.reference)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_client() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (organisation_id, client_id) where (o.organisation_id, o.client_id, o.scopes, o.certificates, o.keys, o.blocked) is not distinct from (n.organisation_id, n.client_id, n.scopes, n.certificates, n.keys, n.blocked)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'client ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id, r.scopes, r.certificates, r.keys, r.blocked))) as digest, row(r.organisation_id, r.client_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id, r.scopes, r.certificates, r.keys, r.blocked))) as digest, row(r.organisation_id, r.client_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id, r.scopes, r.certificates, r.keys, r.blocked))) as digest, row(r.organisation_id, r.client_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id, r.scopes, r.certificates, r.keys, r.blocked))) as digest, row(r.organisation_id, r.client_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_code_list_import() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (code_list) where (o.code_list, o.imported_at, o.entries) is not distinct from (n.code_list, n.imported_at, n.entries)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'code_list_import ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.code_list, r.imported_at, r.entries))) as digest, row(r.code_list)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.code_list, r.imported_at, r.entries))) as digest, row(r.code_list)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.code_list, r.imported_at, r.entries))) as digest, row(r.code_list)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.code_list, r.imported_at, r.entries))) as digest, row(r.code_list)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_customs_office() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (reference_number) where (o.reference_number, o.name, o.valid_from, o.valid_to, o.name_key) is not distinct from (n.reference_number, n.name, n.valid_from, n.valid_to, n.name_key)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'customs_office ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.reference_number, r.name, r.valid_from, r.valid_to)) || case when r.name_key is null then '' else record_send(row(r.name_key)) end) as digest, row(r.reference_number)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.reference_number, r.name, r.valid_from, r.valid_to)) || case when r.name_key is null then '' else record_send(row(r.name_key)) end) as digest, row(r.reference_number)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.reference_number, r.name, r.valid_from, r.valid_to)) || case when r.name_key is null then '' else record_send(row(r.name_key)) end) as digest, row(r.reference_number)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.reference_number, r.name, r.valid_from, r.valid_to)) || case when r.name_key is null then '' else record_send(row(r.name_key)) end) as digest, row(r.reference_number)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.organisation_id, o.declaration_id, o.id, o.document_type, o.file_name, o.kind, o.size, o.sha256, o.content, o.uploaded_at, o.client_id, o.request_id) is not distinct from (n.organisation_id, n.declaration_id, n.id, n.document_type, n.file_name, n.kind, n.size, n.sha256, n.content, n.uploaded_at, n.client_id, n.request_id)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.declaration_id, r.id, r.document_type, r.file_name, r.kind, r.size, r.sha256, r.content, r.uploaded_at, r.client_id, r.request_id))) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.declaration_id, r.id, r.document_type, r.file_name, r.kind, r.size, r.sha256, r.content, r.uploaded_at, r.client_id, r.request_id))) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.declaration_id, r.id, r.document_type, r.file_name, r.kind, r.size, r.sha256, r.content, r.uploaded_at, r.client_id, r.request_id))) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.declaration_id, r.id, r.document_type, r.file_name, r.kind, r.size, r.sha256, r.content, r.uploaded_at, r.client_id, r.request_id))) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_entered_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (house_consignment_id, presentation) where (o.house_consignment_id, o.presentation) is not distinct from (n.house_consignment_id, n.presentation)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'entered_house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.presentation))) as digest, row(r.house_consignment_id, r.presentation)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.presentation))) as digest, row(r.house_consignment_id, r.presentation)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.presentation))) as digest, row(r.house_consignment_id, r.presentation)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.presentation))) as digest, row(r.house_consignment_id, r.presentation)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_entry_summary_declaration() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.mrn, o.customs_office_of_first_entry, o.declarant, o.representative, o.estimated_time_of_arrival, o.transport_means_number, o.transport_means_type, o.carrier, o.presenters, o.version, o.withdrawal, o.source_version, o.kind) is not distinct from (n.id, n.mrn, n.customs_office_of_first_entry, n.declarant, n.representative, n.estimated_time_of_arrival, n.transport_means_number, n.transport_means_type, n.carrier, n.presenters, n.version, n.withdrawal, n.source_version, n.kind)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'entry_summary_declaration ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.mrn, r.customs_office_of_first_entry, r.declarant, r.representative, r.estimated_time_of_arrival, r.transport_means_number, r.transport_means_type, r.carrier, r.presenters, r.version, r.withdrawal)) || case when r.source_version is null then '' else record_send(row(r.source_version)) end || case when r.kind is null then '' else record_send(row(r.kind)) end) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.mrn, r.customs_office_of_first_entry, r.declarant, r.representative, r.estimated_time_of_arrival, r.transport_means_number, r.transport_means_type, r.carrier, r.presenters, r.version, r.withdrawal)) || case when r.source_version is null then '' else record_send(row(r.source_version)) end || case when r.kind is null then '' else record_send(row(r.kind)) end) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.mrn, r.customs_office_of_first_entry, r.declarant, r.representative, r.estimated_time_of_arrival, r.transport_means_number, r.transport_means_type, r.carrier, r.presenters, r.version, r.withdrawal)) || case when r.source_version is null then '' else record_send(row(r.source_version)) end || case when r.kind is null then '' else record_send(row(r.kind)) end) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.mrn, r.customs_office_of_first_entry, r.declarant, r.representative, r.estimated_time_of_arrival, r.transport_means_number, r.transport_means_type, r.carrier, r.presenters, r.version, r.withdrawal)) || case when r.source_version is null then '' else record_send(row(r.source_version)) end || case when r.kind is null then '' else record_send(row(r.kind)) end) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_goods_item_view() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (organisation_id) where (o.organisation_id, o.version, o.conditions, o.changed_at, o.changed_by, o.changed_by_client) is not distinct from (n.organisation_id, n.version, n.conditions, n.changed_at, n.changed_by, n.changed_by_client)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'goods_item_view ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.version, r.conditions, r.changed_at, r.changed_by, r.changed_by_client))) as digest, row(r.organisation_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.version, r.conditions, r.changed_at, r.changed_by, r.changed_by_client))) as digest, row(r.organisation_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.version, r.conditions, r.changed_at, r.changed_by, r.changed_by_client))) as digest, row(r.organisation_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.version, r.conditions, r.changed_at, r.changed_by, r.changed_by_client))) as digest, row(r.organisation_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.ens_id, o.document_number, o.document_type, o.master_document_number, o.master_document_type, o.receptacle_id, o.signal_head, o.registration, o.registered_routing, o.registered_control_location, o.subheadings, o.only_spelling) is not distinct from (n.id, n.ens_id, n.document_number, n.document_type, n.master_document_number, n.master_document_type, n.receptacle_id, n.signal_head, n.registration, n.registered_routing, n.registered_control_location, n.subheadings, n.only_spelling)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.registration, r.registered_routing, r.registered_control_location, r.subheadings)) || case when r.only_spelling is null then '' else record_send(row(r.only_spelling)) end) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.registration, r.registered_routing, r.registered_control_location, r.subheadings)) || case when r.only_spelling is null then '' else record_send(row(r.only_spelling)) end) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.registration, r.registered_routing, r.registered_control_location, r.subheadings)) || case when r.only_spelling is null then '' else record_send(row(r.only_spelling)) end) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.registration, r.registered_routing, r.registered_control_location, r.subheadings)) || case when r.only_spelling is null then '' else record_send(row(r.only_spelling)) end) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_house_consignment_container() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (container_id, house_consignment_id) where (o.container_id, o.house_consignment_id, o.ens_id) is not distinct from (n.container_id, n.house_consignment_id, n.ens_id)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'house_consignment_container ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.container_id, r.house_consignment_id, r.ens_id))) as digest, row(r.container_id, r.house_consignment_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.container_id, r.house_consignment_id, r.ens_id))) as digest, row(r.container_id, r.house_consignment_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.container_id, r.house_consignment_id, r.ens_id))) as digest, row(r.container_id, r.house_consignment_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.container_id, r.house_consignment_id, r.ens_id))) as digest, row(r.container_id, r.house_consignment_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_issued_signal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (house_consignment_id, owner, "position") where (o.house_consignment_id, o.owner, o."position", o.decision) is not distinct from (n.house_consignment_id, n.owner, n."position", n.decision)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'issued_signal ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.decision)::text as key
        from (select r.house_consignment_id, r.decision, record_send(row(r.house_consignment_id, r.owner, r."position", r.decision)) as content from old_rows r order by r.house_consignment_id, r.decision, content) r group by r.house_consignment_id, r.decision) old) except all (select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.decision)::text as key
        from (select r.house_consignment_id, r.decision, record_send(row(r.house_consignment_id, r.owner, r."position", r.decision)) as content from new_rows r order by r.house_consignment_id, r.decision, content) r group by r.house_consignment_id, r.decision) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.decision)::text as key
        from (select r.house_consignment_id, r.decision, record_send(row(r.house_consignment_id, r.owner, r."position", r.decision)) as content from new_rows r order by r.house_consignment_id, r.decision, content) r group by r.house_consignment_id, r.decision) new) except all (select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.decision)::text as key
        from (select r.house_consignment_id, r.decision, record_send(row(r.house_consignment_id, r.owner, r."position", r.decision)) as content from old_rows r order by r.house_consignment_id, r.decision, content) r group by r.house_consignment_id, r.decision) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_kept_control() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (document_key, document_type, relation, location) where (o.document_key, o.document_type, o.relation, o.location, o.house_consignment_id, o.kept_at) is not distinct from (n.document_key, n.document_type, n.relation, n.location, n.house_consignment_id, n.kept_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'kept_control ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.document_key, r.document_type, r.relation, r.location, r.house_consignment_id, r.kept_at))) as digest, row(r.document_key, r.document_type, r.relation, r.location)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.document_key, r.document_type, r.relation, r.location, r.house_consignment_id, r.kept_at))) as digest, row(r.document_key, r.document_type, r.relation, r.location)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.document_key, r.document_type, r.relation, r.location, r.house_consignment_id, r.kept_at))) as digest, row(r.document_key, r.document_type, r.relation, r.location)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.document_key, r.document_type, r.relation, r.location, r.house_consignment_id, r.kept_at))) as digest, row(r.document_key, r.document_type, r.relation, r.location)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_level_presentation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (ens_id, presenter, request_id) where (o.ens_id, o.presenter, o.request_id, o.at, o.level, o.reference, o.document_type) is not distinct from (n.ens_id, n.presenter, n.request_id, n.at, n.level, n.reference, n.document_type)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'level_presentation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.ens_id, r.presenter, r.request_id, r.at, r.level, r.reference, r.document_type))) as digest, row(r.ens_id, r.presenter, r.request_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.ens_id, r.presenter, r.request_id, r.at, r.level, r.reference, r.document_type))) as digest, row(r.ens_id, r.presenter, r.request_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.ens_id, r.presenter, r.request_id, r.at, r.level, r.reference, r.document_type))) as digest, row(r.ens_id, r.presenter, r.request_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.ens_id, r.presenter, r.request_id, r.at, r.level, r.reference, r.document_type))) as digest, row(r.ens_id, r.presenter, r.request_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_movement() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (declaration_id) where (o.declaration_id, o.level, o.mode, o.submitter, o.representative, o.key, o.state, o.request_id, o.lodged_at, o.replaced_at, o.ended_at, o.document_number, o.document_type, o.carrier, o.means, o.listed, o.reasons, o.completed_at, o.text_removed_at, o.estimated_at, o.scheduled_at, o.conveyance, o.office, o.weight, o.house_key, o.arrived_at, o.arrival_office, o.arrival_request_id, o.arrival_recorded_at, o.arrival_signal, o.import_procedure, o.outgoing_procedure, o.consignor_country) is not distinct from (n.declaration_id, n.level, n.mode, n.submitter, n.representative, n.key, n.state, n.request_id, n.lodged_at, n.replaced_at, n.ended_at, n.document_number, n.document_type, n.carrier, n.means, n.listed, n.reasons, n.completed_at, n.text_removed_at, n.estimated_at, n.scheduled_at, n.conveyance, n.office, n.weight, n.house_key, n.arrived_at, n.arrival_office, n.arrival_request_id, n.arrival_recorded_at, n.arrival_signal, n.import_procedure, n.outgoing_procedure, n.consignor_country)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'movement ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.level, r.mode, r.submitter, r.representative, r.key, r.state, r.request_id, r.lodged_at, r.replaced_at, r.ended_at, r.document_number, r.document_type, r.carrier, r.means, r.listed, r.reasons, r.completed_at, r.text_removed_at, r.estimated_at, r.scheduled_at, r.conveyance, r.office, r.weight, r.house_key, r.arrived_at, r.arrival_office, r.arrival_request_id, r.arrival_recorded_at, r.arrival_signal)) || case when r.import_procedure is null then '' else record_send(row(r.import_procedure)) end || case when r.outgoing_procedure is null then '' else record_send(row(r.outgoing_procedure)) end || case when r.consignor_country is null then '' else record_send(row(r.consignor_country)) end) as digest, row(r.declaration_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.level, r.mode, r.submitter, r.representative, r.key, r.state, r.request_id, r.lodged_at, r.replaced_at, r.ended_at, r.document_number, r.document_type, r.carrier, r.means, r.listed, r.reasons, r.completed_at, r.text_removed_at, r.estimated_at, r.scheduled_at, r.conveyance, r.office, r.weight, r.house_key, r.arrived_at, r.arrival_office, r.arrival_request_id, r.arrival_recorded_at, r.arrival_signal)) || case when r.import_procedure is null then '' else record_send(row(r.import_procedure)) end || case when r.outgoing_procedure is null then '' else record_send(row(r.outgoing_procedure)) end || case when r.consignor_country is null then '' else record_send(row(r.consignor_country)) end) as digest, row(r.declaration_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.level, r.mode, r.submitter, r.representative, r.key, r.state, r.request_id, r.lodged_at, r.replaced_at, r.ended_at, r.document_number, r.document_type, r.carrier, r.means, r.listed, r.reasons, r.completed_at, r.text_removed_at, r.estimated_at, r.scheduled_at, r.conveyance, r.office, r.weight, r.house_key, r.arrived_at, r.arrival_office, r.arrival_request_id, r.arrival_recorded_at, r.arrival_signal)) || case when r.import_procedure is null then '' else record_send(row(r.import_procedure)) end || case when r.outgoing_procedure is null then '' else record_send(row(r.outgoing_procedure)) end || case when r.consignor_country is null then '' else record_send(row(r.consignor_country)) end) as digest, row(r.declaration_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.level, r.mode, r.submitter, r.representative, r.key, r.state, r.request_id, r.lodged_at, r.replaced_at, r.ended_at, r.document_number, r.document_type, r.carrier, r.means, r.listed, r.reasons, r.completed_at, r.text_removed_at, r.estimated_at, r.scheduled_at, r.conveyance, r.office, r.weight, r.house_key, r.arrived_at, r.arrival_office, r.arrival_request_id, r.arrival_recorded_at, r.arrival_signal)) || case when r.import_procedure is null then '' else record_send(row(r.import_procedure)) end || case when r.outgoing_procedure is null then '' else record_send(row(r.outgoing_procedure)) end || case when r.consignor_country is null then '' else record_send(row(r.consignor_country)) end) as digest, row(r.declaration_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_movement_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (declaration_id, kind, number) where (o.declaration_id, o.kind, o.number, o.reference, o.reference_type) is not distinct from (n.declaration_id, n.kind, n.number, n.reference, n.reference_type)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_reference ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.number, r.reference, r.reference_type))) as digest, row(r.declaration_id, r.kind, r.number)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.number, r.reference, r.reference_type))) as digest, row(r.declaration_id, r.kind, r.number)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.number, r.reference, r.reference_type))) as digest, row(r.declaration_id, r.kind, r.number)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.kind, r.number, r.reference, r.reference_type))) as digest, row(r.declaration_id, r.kind, r.number)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_movement_relation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (mrn) where (o.mrn, o.parent, o.child, o.maker, o.request_id, o.related_at, o.cancelled_at) is not distinct from (n.mrn, n.parent, n.child, n.maker, n.request_id, n.related_at, n.cancelled_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_relation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.mrn, r.parent, r.child, r.maker, r.request_id, r.related_at, r.cancelled_at))) as digest, row(r.mrn)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.mrn, r.parent, r.child, r.maker, r.request_id, r.related_at, r.cancelled_at))) as digest, row(r.mrn)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.mrn, r.parent, r.child, r.maker, r.request_id, r.related_at, r.cancelled_at))) as digest, row(r.mrn)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.mrn, r.parent, r.child, r.maker, r.request_id, r.related_at, r.cancelled_at))) as digest, row(r.mrn)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_movement_text() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (declaration_id) where (o.declaration_id, o.body) is not distinct from (n.declaration_id, n.body)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'movement_text ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.body))) as digest, row(r.declaration_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.body))) as digest, row(r.declaration_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.declaration_id, r.body))) as digest, row(r.declaration_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.declaration_id, r.body))) as digest, row(r.declaration_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_organisation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.identifier, o.name, o.kind, o.blocked, o.created_at) is not distinct from (n.id, n.identifier, n.name, n.kind, n.blocked, n.created_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.identifier, r.name, r.kind, r.blocked, r.created_at))) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.identifier, r.name, r.kind, r.blocked, r.created_at))) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.identifier, r.name, r.kind, r.blocked, r.created_at))) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.identifier, r.name, r.kind, r.blocked, r.created_at))) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_organisation_number() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (number) where (o.number, o.organisation_id) is not distinct from (n.number, n.organisation_id)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation_number ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.number, r.organisation_id))) as digest, row(r.number)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.number, r.organisation_id))) as digest, row(r.number)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.number, r.organisation_id))) as digest, row(r.number)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.number, r.organisation_id))) as digest, row(r.number)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_organisation_scope() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (organisation_id, scope) where (o.organisation_id, o.scope, o.granted_at) is not distinct from (n.organisation_id, n.scope, n.granted_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'organisation_scope ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.scope, r.granted_at))) as digest, row(r.organisation_id, r.scope)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.scope, r.granted_at))) as digest, row(r.organisation_id, r.scope)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.scope, r.granted_at))) as digest, row(r.organisation_id, r.scope)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.scope, r.granted_at))) as digest, row(r.organisation_id, r.scope)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_presented_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (number) where (o.number, o.level, o.reference, o.document_type, o.mrn, o.presenter, o.request_id, o.at, o.expected_only) is not distinct from (n.number, n.level, n.reference, n.document_type, n.mrn, n.presenter, n.request_id, n.at, n.expected_only)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'presented_reference ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.number, r.level, r.reference, r.document_type, r.mrn, r.presenter, r.request_id, r.at, r.expected_only))) as digest, row(r.number)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.number, r.level, r.reference, r.document_type, r.mrn, r.presenter, r.request_id, r.at, r.expected_only))) as digest, row(r.number)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.number, r.level, r.reference, r.document_type, r.mrn, r.presenter, r.request_id, r.at, r.expected_only))) as digest, row(r.number)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.number, r.level, r.reference, r.document_type, r.mrn, r.presenter, r.request_id, r.at, r.expected_only))) as digest, row(r.number)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_push_subscription() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.organisation_id, o.client_id, o.kind, o.owner, o.url, o.signature, o.created_at) is not distinct from (n.id, n.organisation_id, n.client_id, n.kind, n.owner, n.url, n.signature, n.created_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'push_subscription ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.organisation_id, r.client_id, r.kind, r.owner, r.url, r.signature, r.created_at))) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.organisation_id, r.client_id, r.kind, r.owner, r.url, r.signature, r.created_at))) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.organisation_id, r.client_id, r.kind, r.owner, r.url, r.signature, r.created_at))) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.organisation_id, r.client_id, r.kind, r.owner, r.url, r.signature, r.created_at))) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_reference_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (kind, reference) where (o.kind, o.reference, o.state, o.registered_at, o.changed_at) is not distinct from (n.kind, n.reference, n.state, n.registered_at, n.changed_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'reference_document ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.kind, r.reference, r.state, r.registered_at, r.changed_at))) as digest, row(r.kind, r.reference)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.kind, r.reference, r.state, r.registered_at, r.changed_at))) as digest, row(r.kind, r.reference)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.kind, r.reference, r.state, r.registered_at, r.changed_at))) as digest, row(r.kind, r.reference)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.kind, r.reference, r.state, r.registered_at, r.changed_at))) as digest, row(r.kind, r.reference)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_registration() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.at, o.organisation_id, o.client_id, o.request_id) is not distinct from (n.id, n.at, n.organisation_id, n.client_id, n.request_id)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'registration ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.at, r.organisation_id, r.client_id, r.request_id))) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.at, r.organisation_id, r.client_id, r.request_id))) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.at, r.organisation_id, r.client_id, r.request_id))) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.at, r.organisation_id, r.client_id, r.request_id))) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_removed_client() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (organisation_id, client_id) where (o.organisation_id, o.client_id) is not distinct from (n.organisation_id, n.client_id)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'removed_client ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id))) as digest, row(r.organisation_id, r.client_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id))) as digest, row(r.organisation_id, r.client_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id))) as digest, row(r.organisation_id, r.client_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.organisation_id, r.client_id))) as digest, row(r.organisation_id, r.client_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_removed_status_ens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (ens_id, owner) where (o.ens_id, o.owner) is not distinct from (n.ens_id, n.owner)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'removed_status_ens ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.ens_id, r.owner))) as digest, row(r.ens_id, r.owner)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.ens_id, r.owner))) as digest, row(r.ens_id, r.owner)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.ens_id, r.owner))) as digest, row(r.ens_id, r.owner)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.ens_id, r.owner))) as digest, row(r.ens_id, r.owner)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_routing_decision() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (house_consignment_id, number) where (o.house_consignment_id, o.number, o.decided_at, o.routing, o.routing_control_location, o.reason, o.organisation_id, o.client_id, o.request_id, o.profile, o.profile_version, o.profile_rule, o.origin, o.takes_effect, o.decision_id, o.run_id, o.taken_from, o.first_decided_at) is not distinct from (n.house_consignment_id, n.number, n.decided_at, n.routing, n.routing_control_location, n.reason, n.organisation_id, n.client_id, n.request_id, n.profile, n.profile_version, n.profile_rule, n.origin, n.takes_effect, n.decision_id, n.run_id, n.taken_from, n.first_decided_at)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_decision ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.number, r.decided_at, r.routing, r.routing_control_location, r.reason, r.organisation_id, r.client_id, r.request_id, r.profile, r.profile_version, r.profile_rule, r.origin, r.takes_effect, r.decision_id)) || case when r.run_id is null then '' else record_send(row(r.run_id)) end || case when r.taken_from is null then '' else record_send(row(r.taken_from)) end || case when r.first_decided_at is null then '' else record_send(row(r.first_decided_at)) end) as digest, row(r.house_consignment_id, r.number)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.number, r.decided_at, r.routing, r.routing_control_location, r.reason, r.organisation_id, r.client_id, r.request_id, r.profile, r.profile_version, r.profile_rule, r.origin, r.takes_effect, r.decision_id)) || case when r.run_id is null then '' else record_send(row(r.run_id)) end || case when r.taken_from is null then '' else record_send(row(r.taken_from)) end || case when r.first_decided_at is null then '' else record_send(row(r.first_decided_at)) end) as digest, row(r.house_consignment_id, r.number)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.number, r.decided_at, r.routing, r.routing_control_location, r.reason, r.organisation_id, r.client_id, r.request_id, r.profile, r.profile_version, r.profile_rule, r.origin, r.takes_effect, r.decision_id)) || case when r.run_id is null then '' else record_send(row(r.run_id)) end || case when r.taken_from is null then '' else record_send(row(r.taken_from)) end || case when r.first_decided_at is null then '' else record_send(row(r.first_decided_at)) end) as digest, row(r.house_consignment_id, r.number)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.house_consignment_id, r.number, r.decided_at, r.routing, r.routing_control_location, r.reason, r.organisation_id, r.client_id, r.request_id, r.profile, r.profile_version, r.profile_rule, r.origin, r.takes_effect, r.decision_id)) || case when r.run_id is null then '' else record_send(row(r.run_id)) end || case when r.taken_from is null then '' else record_send(row(r.taken_from)) end || case when r.first_decided_at is null then '' else record_send(row(r.first_decided_at)) end) as digest, row(r.house_consignment_id, r.number)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_routing_profile() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (name, version) where (o.name, o.version, o.created_at, o.profile, o.live_since) is not distinct from (n.name, n.version, n.created_at, n.profile, n.live_since)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_profile ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.name, r.version, r.created_at, r.profile, r.live_since))) as digest, row(r.name, r.version)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.name, r.version, r.created_at, r.profile, r.live_since))) as digest, row(r.name, r.version)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.name, r.version, r.created_at, r.profile, r.live_since))) as digest, row(r.name, r.version)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.name, r.version, r.created_at, r.profile, r.live_since))) as digest, row(r.name, r.version)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_routing_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.created_at, o.state, o.version, o.state_changed_at, o.problem, o.selection, o.routing, o.routing_control_location, o.reason, o.origin, o.organisation_id, o.client_id, o.request_id, o.reverses, o.house_consignments, o.decided, o.unchanged, o.conflicts, o.refused, o.signals, o.confirmed_at, o.confirmed_organisation_id, o.confirmed_client_id) is not distinct from (n.id, n.created_at, n.state, n.version, n.state_changed_at, n.problem, n.selection, n.routing, n.routing_control_location, n.reason, n.origin, n.organisation_id, n.client_id, n.request_id, n.reverses, n.house_consignments, n.decided, n.unchanged, n.conflicts, n.refused, n.signals, n.confirmed_at, n.confirmed_organisation_id, n.confirmed_client_id)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_run ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.created_at, r.state, r.version, r.state_changed_at, r.problem, r.selection, r.routing, r.routing_control_location, r.reason, r.origin, r.organisation_id, r.client_id, r.request_id, r.reverses, r.house_consignments, r.decided, r.unchanged, r.conflicts, r.refused, r.signals)) || case when r.confirmed_at is null then '' else record_send(row(r.confirmed_at)) end || case when r.confirmed_organisation_id is null then '' else record_send(row(r.confirmed_organisation_id)) end || case when r.confirmed_client_id is null then '' else record_send(row(r.confirmed_client_id)) end) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.created_at, r.state, r.version, r.state_changed_at, r.problem, r.selection, r.routing, r.routing_control_location, r.reason, r.origin, r.organisation_id, r.client_id, r.request_id, r.reverses, r.house_consignments, r.decided, r.unchanged, r.conflicts, r.refused, r.signals)) || case when r.confirmed_at is null then '' else record_send(row(r.confirmed_at)) end || case when r.confirmed_organisation_id is null then '' else record_send(row(r.confirmed_organisation_id)) end || case when r.confirmed_client_id is null then '' else record_send(row(r.confirmed_client_id)) end) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.created_at, r.state, r.version, r.state_changed_at, r.problem, r.selection, r.routing, r.routing_control_location, r.reason, r.origin, r.organisation_id, r.client_id, r.request_id, r.reverses, r.house_consignments, r.decided, r.unchanged, r.conflicts, r.refused, r.signals)) || case when r.confirmed_at is null then '' else record_send(row(r.confirmed_at)) end || case when r.confirmed_organisation_id is null then '' else record_send(row(r.confirmed_organisation_id)) end || case when r.confirmed_client_id is null then '' else record_send(row(r.confirmed_client_id)) end) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.created_at, r.state, r.version, r.state_changed_at, r.problem, r.selection, r.routing, r.routing_control_location, r.reason, r.origin, r.organisation_id, r.client_id, r.request_id, r.reverses, r.house_consignments, r.decided, r.unchanged, r.conflicts, r.refused, r.signals)) || case when r.confirmed_at is null then '' else record_send(row(r.confirmed_at)) end || case when r.confirmed_organisation_id is null then '' else record_send(row(r.confirmed_organisation_id)) end || case when r.confirmed_client_id is null then '' else record_send(row(r.confirmed_client_id)) end) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_routing_run_result() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (run_id, house_consignment_id) where (o.run_id, o.house_consignment_id, o.expected, o.routing, o.routing_control_location, o.status, o.error_code, o.decision) is not distinct from (n.run_id, n.house_consignment_id, n.expected, n.routing, n.routing_control_location, n.status, n.error_code, n.decision)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'routing_run_result ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.run_id, r.house_consignment_id, r.expected, r.routing, r.routing_control_location, r.status, r.error_code, r.decision))) as digest, row(r.run_id, r.house_consignment_id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.run_id, r.house_consignment_id, r.expected, r.routing, r.routing_control_location, r.status, r.error_code, r.decision))) as digest, row(r.run_id, r.house_consignment_id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.run_id, r.house_consignment_id, r.expected, r.routing, r.routing_control_location, r.status, r.error_code, r.decision))) as digest, row(r.run_id, r.house_consignment_id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.run_id, r.house_consignment_id, r.expected, r.routing, r.routing_control_location, r.status, r.error_code, r.decision))) as digest, row(r.run_id, r.house_consignment_id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_signal_recipient() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (house_consignment_id, organisation_id) where (o.house_consignment_id, o.organisation_id, o.presenter, o.request_id, o.signal_position, o.first_presented_at, o.office, o.transport, o.master) is not distinct from (n.house_consignment_id, n.organisation_id, n.presenter, n.request_id, n.signal_position, n.first_presented_at, n.office, n.transport, n.master)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'signal_recipient ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.presenter, r.request_id)::text as key
        from (select r.house_consignment_id, r.presenter, r.request_id, record_send(row(r.house_consignment_id, r.organisation_id, r.presenter, r.request_id, r.signal_position, r.first_presented_at, r.office)) || case when r.transport is null then '' else record_send(row(r.transport)) end || case when r.master is null then '' else record_send(row(r.master)) end as content from old_rows r order by r.house_consignment_id, r.presenter, r.request_id, content) r group by r.house_consignment_id, r.presenter, r.request_id) old) except all (select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.presenter, r.request_id)::text as key
        from (select r.house_consignment_id, r.presenter, r.request_id, record_send(row(r.house_consignment_id, r.organisation_id, r.presenter, r.request_id, r.signal_position, r.first_presented_at, r.office)) || case when r.transport is null then '' else record_send(row(r.transport)) end || case when r.master is null then '' else record_send(row(r.master)) end as content from new_rows r order by r.house_consignment_id, r.presenter, r.request_id, content) r group by r.house_consignment_id, r.presenter, r.request_id) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.presenter, r.request_id)::text as key
        from (select r.house_consignment_id, r.presenter, r.request_id, record_send(row(r.house_consignment_id, r.organisation_id, r.presenter, r.request_id, r.signal_position, r.first_presented_at, r.office)) || case when r.transport is null then '' else record_send(row(r.transport)) end || case when r.master is null then '' else record_send(row(r.master)) end as content from new_rows r order by r.house_consignment_id, r.presenter, r.request_id, content) r group by r.house_consignment_id, r.presenter, r.request_id) new) except all (select digest from (select audited_digest(string_agg(content, '')) as digest, row(r.house_consignment_id, r.presenter, r.request_id)::text as key
        from (select r.house_consignment_id, r.presenter, r.request_id, record_send(row(r.house_consignment_id, r.organisation_id, r.presenter, r.request_id, r.signal_position, r.first_presented_at, r.office)) || case when r.transport is null then '' else record_send(row(r.transport)) end || case when r.master is null then '' else record_send(row(r.master)) end as content from old_rows r order by r.house_consignment_id, r.presenter, r.request_id, content) r group by r.house_consignment_id, r.presenter, r.request_id) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_unlo_code_group() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (prefix) where (o.prefix, o.codes, o.names, o.name_keys) is not distinct from (n.prefix, n.codes, n.names, n.name_keys)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'unlo_code_group ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.prefix, r.codes, r.names, r.name_keys))) as digest, row(r.prefix)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.prefix, r.codes, r.names, r.name_keys))) as digest, row(r.prefix)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.prefix, r.codes, r.names, r.name_keys))) as digest, row(r.prefix)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.prefix, r.codes, r.names, r.name_keys))) as digest, row(r.prefix)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_validation_status_ens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (owner, ens_id, "position") where (o.owner, o.ens_id, o."position") is not distinct from (n.owner, n.ens_id, n."position")
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'validation_status_ens ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.owner, r.ens_id, r."position"))) as digest, row(r.owner, r.ens_id, r."position")::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.owner, r.ens_id, r."position"))) as digest, row(r.owner, r.ens_id, r."position")::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.owner, r.ens_id, r."position"))) as digest, row(r.owner, r.ens_id, r."position")::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.owner, r.ens_id, r."position"))) as digest, row(r.owner, r.ens_id, r."position")::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.audit_updated_withdrawn_house_consignment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  lists text;
begin
  if (
    select count(*) from old_rows o join new_rows n using (id) where (o.id, o.ens_id, o.document_number, o.document_type, o.master_document_number, o.master_document_type, o.receptacle_id, o.signal_head, o.routing, o.routing_control_location, o.registration, o.registered_routing, o.registered_control_location, o.subheadings, o.withdrawal) is not distinct from (n.id, n.ens_id, n.document_number, n.document_type, n.master_document_number, n.master_document_type, n.receptacle_id, n.signal_head, n.routing, n.routing_control_location, n.registration, n.registered_routing, n.registered_control_location, n.subheadings, n.withdrawal)
  ) = (select count(*) from new_rows) then
    return null; -- only derived columns
  end if;
  select string_agg(list, ';') into lists
  from (
    select change || 'withdrawn_house_consignment ' || string_agg(digest, ' ') as list
    from (select change, digest, (row_number() over () - 1) / 20000 as part from (
        select '-' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.routing, r.routing_control_location, r.registration, r.registered_routing, r.registered_control_location, r.subheadings, r.withdrawal))) as digest, row(r.id)::text as key from old_rows r) old) except all (select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.routing, r.routing_control_location, r.registration, r.registered_routing, r.registered_control_location, r.subheadings, r.withdrawal))) as digest, row(r.id)::text as key from new_rows r) new)) gone
        union all
        select '+' as change, digest
        from ((select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.routing, r.routing_control_location, r.registration, r.registered_routing, r.registered_control_location, r.subheadings, r.withdrawal))) as digest, row(r.id)::text as key from new_rows r) new) except all (select digest from (select audited_digest(record_send(row(r.id, r.ens_id, r.document_number, r.document_type, r.master_document_number, r.master_document_type, r.receptacle_id, r.signal_head, r.routing, r.routing_control_location, r.registration, r.registered_routing, r.registered_control_location, r.subheadings, r.withdrawal))) as digest, row(r.id)::text as key from old_rows r) old)) written) changed) each
    group by change, part
  ) lists;
  if lists is not null then
    perform note_audited_rows(lists);
  end if;
  return null;
end
$$;

CREATE TABLE public.routing_decision (
    house_consignment_id uuid NOT NULL,
    number integer NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    routing text NOT NULL,
    routing_control_location text,
    reason text,
    organisation_id integer,
    client_id text,
    request_id text NOT NULL,
    profile text,
    profile_version integer,
    profile_rule integer,
    origin text DEFAULT 'ENGINE'::text NOT NULL,
    takes_effect boolean DEFAULT true NOT NULL,
    decision_id uuid,
    run_id uuid,
    taken_from text COLLATE pg_catalog."C",
    first_decided_at timestamp with time zone,
    CONSTRAINT routing_decision_origin_check CHECK ((origin = ANY (ARRAY['OFFICER'::text, 'ENGINE'::text, 'REGISTRATION'::text, 'PROFILE'::text]))),
    CONSTRAINT routing_decision_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text])))
);

CREATE FUNCTION public.audited_contents(decision public.routing_decision) RETURNS bytea
    LANGUAGE plpgsql STABLE
    AS $_$
declare
  contents bytea;
begin
  -- The expression is that of `audit_table`.
  execute (
    select format('select %s from (select ($1).*) r',
      split_part(split_part(digests, 'select audited_digest(', 2), ') as digest, row(', 1))
    from audited_table where name = 'routing_decision'
  ) into contents using decision;
  return contents;
end
$_$;

CREATE FUNCTION public.audited_digest(contents bytea) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select encode(substr(sha256(contents), 1, 24), 'base64')
$$;

CREATE FUNCTION public.change_master_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.master_document_key := identifier_key(new.master_document_number);
  return new;
end
$$;

CREATE FUNCTION public.controlled_since(house uuid) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $_$
  select case when d.routing in ('TO_CONTROL', 'ENTRY_DENIED') and d.origin in ('OFFICER', 'ENGINE')
    then coalesce(d.first_decided_at, d.decided_at) end
  from routing_decision d
  where d.house_consignment_id = $1 and d.takes_effect order by d.number desc limit 1
$_$;

CREATE FUNCTION public.controls_kept_for(house uuid, expected_only boolean) RETURNS TABLE(other uuid)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
begin
  return query
  select distinct k.house_consignment_id
  from (select * from house_consignment where id = house offset 0) h
  cross join lateral relations_to_find(
    h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id, expected_only) r
  cross join lateral (
    select * from kept_control k
    where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = r.relation
    offset 0
  ) k
  where k.house_consignment_id <> house and k.kept_at > now() - interval '1 year'
    -- What is current and has the relation still is another consignment, or lodged beside.
    and (
      select true
      from (select * from house_consignment where id = k.house_consignment_id offset 0) o
      cross join lateral relations_to_find(
        o.ens_id, o.master_document_key, o.master_document_type, o.receptacle_id, expected_only) has
      where has.relation = r.relation and not is_closed(o.ens_id) limit 1
    ) is null;
end
$$;

CREATE FUNCTION public.digest_audited_row_base() RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select encode(sha256(convert_to(coalesce(string_agg(digest, '' order by part), ''), 'UTF8')), 'hex')
  from (
    select left(digest, 2) as part, encode(sha256(convert_to(
      string_agg(table_name || ' ' || digest || ' ' || rows, E'\n' order by table_name, digest), 'UTF8')), 'hex') as digest
    from audited_row_base group by left(digest, 2)
  ) parts
$$;

CREATE FUNCTION public.direct_houses_of_transport(transport integer, expected_only boolean) RETURNS TABLE(id integer, number integer)
    LANGUAGE sql STABLE
    AS $$
  select house.declaration_id, r.number
  from movement t
  join movement_reference r on r.declaration_id = t.declaration_id and r.kind = 'HOUSE_CONSIGNMENT'
  cross join lateral (
    select m.* from movement m
    join house_consignment h on h.ens_id = m.declaration_id
    where m.document_number = r.reference and m.document_type = r.reference_type and m.carrier = t.carrier
      and m.mode = t.mode and m.level = 'HOUSE_CONSIGNMENT'
      and h.master_document_number is null and h.receptacle_id is null
    offset 0
  ) house
  where t.declaration_id = transport and were_current_together(t, house::movement)
    and may_couple(t, house::movement, expected_only)
  union all
  select related.id, null from related_below(transport, 'HOUSE_CONSIGNMENT') related
$$;

CREATE FUNCTION public.entered_after_presentation(house uuid) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'by', (select identifier from organisation o where o.id = p.presenter),
    'at', api_time(p.at),
    'requestId', p.request_id,
    'level', p.level)
  from entered_house_consignment entered
  join presented_reference p on p.number = entered.presentation
  where entered.house_consignment_id = house
  order by p.number limit 1
$$;

CREATE FUNCTION public.extend_audit_chain(lock_namespace integer, entry text, OUT chain integer, OUT "position" bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
    recorded_at = greatest(last.recorded_at, clock_timestamp(),
      nullif(current_setting('landfall.record_time', true), '')::timestamptz)
  where last.ctid = ( -- the newest version, as in append_to_feeds
    select newest.ctid from audit_chain_end newest
    where newest.chain <= extend_audit_chain.chain order by newest.chain desc limit 1)
  returning last.position, last.digest, last.recorded_at into extend_audit_chain.position, new_digest, new_time;
  perform set_config('landfall.audit_time', new_time::text, true);
  insert into audit_record (chain, position, digest, entry, recorded_at)
  values (extend_audit_chain.chain, extend_audit_chain.position, new_digest, extend_audit_chain.entry, new_time);
end
$$;

CREATE FUNCTION public.fill_goods_item() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select e.requested_procedure, e.accepted_on into new.requested_procedure, new.accepted_on
  from goods_item_event e where e.owner = 0 and e.position = new.position;
  return new;
end
$$;

CREATE FUNCTION public.fill_goods_item_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  named constant json := new.entry;
begin
  if new.declaration is null then
    select found.requested_procedure, found.accepted_on into new.requested_procedure, new.accepted_on
    from (
      select e.requested_procedure, e.accepted_on from goods_item_event e
      where e.owner = new.owner and e.id = (named #>> '{metadata,relatedEventId}')::uuid
      union all
      select e.requested_procedure, e.accepted_on from goods_item_expired e
      where e.owner = new.owner and e.id = (named #>> '{metadata,relatedEventId}')::uuid
      union all
      select i.requested_procedure, i.accepted_on from goods_item i
      where i.declaration = named #>> '{data,GoodsItem,DeclarationIdentification}'
        and i.number = (named #>> '{data,GoodsItem,GoodsItemNumber}')::numeric
    ) found
    where found.requested_procedure is not null limit 1;
  end if;
  if new.requested_procedure is null then
    select f.requested_procedure, f.accepted_on into new.requested_procedure, new.accepted_on
    from goods_item_facts(new.entry) f;
  end if;
  return new;
end
$$;

CREATE FUNCTION public.fill_goods_item_expired() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select i.requested_procedure, i.accepted_on into new.requested_procedure, new.accepted_on
  from goods_item i
  where i.declaration = new.declaration and i.number = new.number and i.position = new.position;
  return new;
end
$$;

CREATE FUNCTION public.find_house_consignment(mrn text, document_number text, document_type text) RETURNS TABLE(houses integer, house uuid)
    LANGUAGE sql STABLE
    AS $_$
  select count(*)::integer, case when count(*) = 1 then (array_agg(id))[1] end
  from (
    (select h.id from entry_summary_declaration e
      cross join lateral (
        select * from house_consignment
        where ens_id = e.id and document_key = identifier_key($2) and house_consignment.document_type = $3
        order by only_spelling offset 0
      ) h
      where e.mrn = $1 and (h.only_spelling is null or h.only_spelling = $2) limit 1)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_key = identifier_key($2) and h.document_type = $3
        and (h.only_spelling is null or h.only_spelling = $2)
        and (select kind from declaration where id = h.ens_id) is null limit 2)
  ) found
$_$;

CREATE FUNCTION public.find_house_consignment_of_any_kind(mrn text, document_number text, document_type text) RETURNS TABLE(houses integer, house uuid)
    LANGUAGE sql STABLE
    AS $_$
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
        and (h.only_spelling is null or h.only_spelling = $2)
        and (select kind from declaration where id = h.ens_id) is null limit 2)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_key = identifier_key($2) and h.document_type = $3
        and (h.only_spelling is null or h.only_spelling = $2)
        and (select kind from declaration where id = h.ens_id) is not null
        and (
          select true from house_consignment o
          where o.document_key = identifier_key($2) and o.document_type = $3
            and (o.only_spelling is null or o.only_spelling = $2)
            and (
              (select kind from declaration where id = o.ens_id) is null
              or is_closed(h.ens_id) and not is_closed(o.ens_id)
            ) limit 1
        ) is null limit 2)
  ) found
$_$;

CREATE FUNCTION public.goods_beside(house uuid, expected_only boolean) RETURNS TABLE(other uuid, goods text, is_same boolean)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
declare
  of_document record;
begin
  select document_key, document_type into of_document from house_consignment where id = house;
  if of_document.document_key is null or (
    select true from movement m
    where m.house_key = of_document.document_key and m.document_type = of_document.document_type limit 1
  ) is null then
    return;
  end if;
  return query
  with recursive told as materialized (
    select lodged as one, declared as two
    from told_twice(of_document.document_key, of_document.document_type, expected_only)
  ),
  lodged as materialized (
    select g.id, g.master_document_key, g.master_document_type, g.receptacle_id, e.declarant, e.representative
    from (
      select * from house_consignment
      where document_key = of_document.document_key and document_type = of_document.document_type
      order by ens_id desc limit 10000
    ) g
    cross join lateral (select * from declaration where id = g.ens_id offset 0) e
    where e.kind = 'HOUSE' and (select state from movement where declaration_id = g.ens_id) is null
  ),
  -- From each record to what it has in common with others, so that many with one thing in common cost no more than their number.
  link as materialized (
    select l.id, common
    from lodged l
    cross join lateral (
      select 'MASTER ' || l.master_document_type || ' ' || l.master_document_key
        || case when expected_only then ' BY ' || l.declarant else '' end
      union all
      select 'RECEPTACLE ' || l.receptacle_id || case when expected_only then ' BY ' || l.declarant else '' end
      union all
      select 'PARTY ' || party
      from (select l.declarant as party union select l.representative) parties
      where l.master_document_key is null and l.receptacle_id is null and (not expected_only or party = l.declarant)
    ) has (common)
    where common is not null
  ),
  step as materialized (
    select 'GOODS ' || id as here, common as there from link
    union all
    select common, 'GOODS ' || id from link
    union all
    select 'GOODS ' || one, 'GOODS ' || two from told
    union all
    select 'GOODS ' || two, 'GOODS ' || one from told
  ),
  reached (node) as (
    select ('GOODS ' || house) collate "C"
    union
    select step.there from reached join step on step.here = reached.node
  ),
  -- All records of the same goods are connected with something declared.
  told_with (declared, id) as (
    select two, two from told
    union
    select told_with.declared, case when told.one = told_with.id then told.two else told.one end
    from told_with join told on told_with.id in (told.one, told.two)
  ),
  named as materialized (
    select substr(node, 7)::uuid as id, coalesce(
      (select min(told_with.declared::text) from told_with where told_with.id = substr(node, 7)::uuid),
      substr(node, 7)) as goods
    from reached where node like 'GOODS %'
  )
  select named.id, named.goods, named.goods = (select own.goods from named own where own.id = house)
  from named where named.id <> house;
end
$$;

CREATE FUNCTION public.goods_item_facts(entry text, OUT requested_procedure text, OUT accepted_on text) RETURNS record
    LANGUAGE sql IMMUTABLE
    AS $$
  select entry::json #>> '{data,GoodsItem,Procedure,RequestedProcedure}',
    entry::json #>> '{data,GoodsItem,Declaration,DateOfAcceptance}'
$$;

CREATE FUNCTION public.houses_of_master(master integer, expected_only boolean) RETURNS TABLE(id integer)
    LANGUAGE sql STABLE
    AS $$
  select house.declaration_id
  from movement m
  cross join lateral (
    select under.* from house_consignment h
    cross join lateral (select * from movement where declaration_id = h.ens_id offset 0) under
    where h.master_document_key = identifier_key(m.document_number) and h.master_document_type = m.document_type
      and h.master_document_number = m.document_number
      and under.mode = m.mode and under.carrier = m.carrier
    offset 0
  ) house
  where m.declaration_id = master and were_current_together(m, house::movement)
    and may_couple(m, house::movement, expected_only)
  union all
  select house.declaration_id
  from movement m
  join movement_reference r on r.declaration_id = m.declaration_id and r.kind = 'RECEPTACLE'
  cross join lateral (
    select under.* from house_consignment h
    cross join lateral (select * from movement where declaration_id = h.ens_id offset 0) under
    where h.receptacle_id = r.reference and under.mode = m.mode
    offset 0
  ) house
  where m.declaration_id = master and were_current_together(m, house::movement)
    and may_couple(m, house::movement, expected_only)
  union all
  select related.id from related_below(master, 'HOUSE_CONSIGNMENT') related
$$;

CREATE FUNCTION public.houses_of_transport(transport integer, expected_only boolean) RETURNS TABLE(id integer, master integer)
    LANGUAGE sql STABLE
    AS $$
  select h.id, m.id
  from movement t
  cross join lateral masters_of_transport(t.declaration_id, expected_only) m
  cross join lateral houses_of_master(m.id, expected_only) h
  cross join lateral (select * from movement where declaration_id = h.id offset 0) house
  where t.declaration_id = transport and were_current_together(t, house::movement)
  union all
  select id, null from direct_houses_of_transport(transport, expected_only)
$$;

CREATE FUNCTION public.identifier_key(identifier text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select case when identifier ~ '^[!-`{-~]*$' then identifier else normalise_identifier(identifier) end
$_$;

CREATE FUNCTION public.is_by_officer_or_engine(house uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select d.origin in ('OFFICER', 'ENGINE') from routing_decision d
  where d.house_consignment_id = house and d.takes_effect order by d.number desc limit 1
$$;

CREATE FUNCTION public.is_closed(message integer) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (select from movement where declaration_id = message and state = 'CLOSED')
$$;

CREATE TABLE public.movement (
    declaration_id integer NOT NULL,
    level text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    submitter integer NOT NULL,
    representative integer,
    key text NOT NULL COLLATE pg_catalog."C",
    state text COLLATE pg_catalog."C",
    request_id uuid NOT NULL,
    lodged_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone,
    ended_at timestamp with time zone,
    document_number text COLLATE pg_catalog."C",
    document_type text COLLATE pg_catalog."C",
    carrier text COLLATE pg_catalog."C",
    means text COLLATE pg_catalog."C",
    listed text NOT NULL,
    reasons text[] NOT NULL,
    completed_at timestamp with time zone,
    text_removed_at timestamp with time zone,
    estimated_at timestamp with time zone,
    scheduled_at timestamp with time zone,
    conveyance text COLLATE pg_catalog."C",
    office text COLLATE pg_catalog."C",
    weight numeric(16,6),
    house_key text COLLATE pg_catalog."C",
    arrived_at timestamp with time zone,
    arrival_office text COLLATE pg_catalog."C",
    arrival_request_id uuid,
    arrival_recorded_at timestamp with time zone,
    arrival_signal text COLLATE pg_catalog."C",
    import_procedure text COLLATE pg_catalog."C",
    outgoing_procedure text COLLATE pg_catalog."C",
    consignor_country text COLLATE pg_catalog."C",
    CONSTRAINT movement_level_check CHECK ((level = ANY (ARRAY['TRANSPORT'::text, 'MASTER_CONSIGNMENT'::text, 'HOUSE_CONSIGNMENT'::text]))),
    CONSTRAINT movement_mode_check CHECK ((mode = ANY (ARRAY['road'::text, 'air'::text, 'rail'::text, 'maritime'::text]))),
    CONSTRAINT movement_state_check CHECK ((state = ANY (ARRAY['CANCELLED'::text, 'EXPIRED'::text, 'CLOSED'::text])))
);

CREATE FUNCTION public.is_lodged_for_carrier(message public.movement) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select (select carrier from declaration where id = message.declaration_id) in (message.submitter, message.representative)
$$;

CREATE FUNCTION public.is_under_master(house integer, mrn text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (
    select from declaration e
    join movement master on master.declaration_id = e.id and master.level = 'MASTER_CONSIGNMENT'
    join movement h on h.declaration_id = house and h.mode = master.mode and h.carrier = master.carrier
    where e.mrn = is_under_master.mrn)
$$;

CREATE FUNCTION public.keep_audited_rows(before timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.keep_declaration_of_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.kept_as(house uuid, routing text, location text) RETURNS text
    LANGUAGE sql STABLE
    AS $_$
  select case when $2 in ('TO_CONTROL', 'ENTRY_DENIED') then (
    select case d.origin when 'OFFICER' then trim('OFFICER ' || place) when 'ENGINE' then place end
    from routing_decision d cross join (select case $2 when 'ENTRY_DENIED' then 'DENIED' else coalesce($3, '') end) p (place)
    where d.house_consignment_id = $1 and d.takes_effect order by d.number desc limit 1
  ) end
$_$;

CREATE FUNCTION public.kept_controls(house uuid, expected_only boolean) RETURNS TABLE(other uuid)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
begin
  return query
  select kept.other from controls_kept_for(house, expected_only) kept
  union
  select o.id
  from goods_beside(house, expected_only) beside
  join house_consignment o on o.id = beside.other
  where o.routing = 'TO_CONTROL' and is_by_officer_or_engine(o.id);
end
$$;

CREATE FUNCTION public.lock_in_order(namespace integer, numbers integer[], wait_ms integer) RETURNS integer[]
    LANGUAGE plpgsql
    AS $$
declare
  wanted integer;
  locked integer[] := '{}';
  may_wait boolean := wait_ms > 0;
  usual_timeout text := current_setting('lock_timeout');
begin
  for wanted in
    select distinct number from unnest(numbers) number where number is not null order by number
  loop
    if pg_try_advisory_xact_lock(namespace, wanted) then
      locked := array_append(locked, wanted);
    elsif may_wait then
      begin
        perform set_config('lock_timeout', wait_ms::text, true);
        perform pg_advisory_xact_lock(namespace, wanted);
        perform set_config('lock_timeout', usual_timeout, true);
        locked := array_append(locked, wanted);
      exception when lock_not_available then
        may_wait := false;
      end;
    end if;
  end loop;
  return locked;
end
$$;

CREATE FUNCTION public.lock_references(namespace integer, identifiers text[], is_shared boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  wanted integer;
begin
  for wanted in select distinct hashtext(identifier) & 255 from unnest(identifiers) identifier order by 1 loop
    if is_shared then
      perform pg_advisory_xact_lock_shared(namespace, wanted);
    else
      perform pg_advisory_xact_lock(namespace, wanted);
    end if;
  end loop;
end
$$;

CREATE FUNCTION public.lodged_beside(house uuid, expected_only boolean) RETURNS TABLE(other uuid)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
begin
  return query select beside.other from goods_beside(house, expected_only) beside;
end
$$;

CREATE FUNCTION public.masters_of_house(house integer, expected_only boolean) RETURNS TABLE(id integer)
    LANGUAGE sql STABLE
    AS $$
  select master.declaration_id
  from movement m
  join house_consignment h on h.ens_id = m.declaration_id
  cross join lateral (
    select * from movement
    where document_number = h.master_document_number and document_type = h.master_document_type and carrier = m.carrier
      and mode = m.mode and level = 'MASTER_CONSIGNMENT'
    offset 0
  ) master
  where m.declaration_id = house and were_current_together(master::movement, m)
    and may_couple(master::movement, m, expected_only)
  union all
  select master.declaration_id
  from movement m
  join house_consignment h on h.ens_id = m.declaration_id
  join movement_reference r on r.reference = h.receptacle_id and r.kind = 'RECEPTACLE'
  cross join lateral (
    select * from movement where declaration_id = r.declaration_id and mode = m.mode offset 0
  ) master
  where m.declaration_id = house and were_current_together(master::movement, m)
    and may_couple(master::movement, m, expected_only)
  union all
  select related.id from related_above(house, 'MASTER_CONSIGNMENT') related
$$;

CREATE FUNCTION public.masters_of_transport(transport integer, expected_only boolean) RETURNS TABLE(id integer, number integer)
    LANGUAGE sql STABLE
    AS $$
  select master.declaration_id, r.number
  from movement t
  join movement_reference r on r.declaration_id = t.declaration_id and r.kind = 'MASTER_CONSIGNMENT'
  cross join lateral (
    select * from movement
    where document_number = r.reference and document_type = r.reference_type and carrier = t.carrier and mode = t.mode
      and level = 'MASTER_CONSIGNMENT'
    offset 0
  ) master
  where t.declaration_id = transport and were_current_together(t, master::movement)
    and may_couple(t, master::movement, expected_only)
  union all
  select related.id, null from related_below(transport, 'MASTER_CONSIGNMENT') related
$$;

CREATE FUNCTION public.may_couple(upper_message public.movement, lower_message public.movement, expected_only boolean) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select not expected_only
    or upper_message.submitter in (lower_message.submitter, lower_message.representative)
    or upper_message.representative in (lower_message.submitter, lower_message.representative)
    or is_lodged_for_carrier(upper_message)
$$;

CREATE FUNCTION public.may_present(presenter integer, declarant integer, representative integer, carrier integer, presenters integer[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select presenter in (declarant, representative, carrier) or presenter = any(presenters)
$$;

CREATE FUNCTION public.may_still_act(organisation integer, client text, scopes text[]) RETURNS boolean
    LANGUAGE sql STABLE
    AS $_$
  select exists (
    select from organisation o
    where o.id = $1 and not o.blocked
      and exists (select from organisation_scope s where s.organisation_id = o.id and s.scope = any ($3))
      and not exists (
        select from client c join organisation p on p.id = c.organisation_id
        where lower(c.client_id) = lower($2) and (c.blocked or p.blocked)
          and (p.id = o.id or lower($2) not like 'eidas-%'))
      -- A client may have fewer scopes than its organisation.
      and not exists (
        select from client c
        where c.organisation_id = o.id and lower(c.client_id) = lower($2)
          and c.scopes is not null and not c.scopes && $3)
      and not exists (
        select from removed_client c where lower(c.client_id) = lower($2) and c.organisation_id = o.id)
  )
$_$;

CREATE FUNCTION public.mint_marker(feed_position bigint, seed bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
  select encode(
    int8send((feed_position << 16) | 32768)
      || int8send((hashint8extended(feed_position, seed) & 4611686018427387903) | (-9223372036854775808)),
    'hex')::uuid
$$;

CREATE FUNCTION public.new_movement_status(owner integer, id uuid, failed boolean, entry text) RETURNS public.new_entry
    LANGUAGE sql IMMUTABLE
    AS $$
  select row(7, owner, id, entry, null, failed, null, null, null, null, null)::new_entry
$$;

CREATE FUNCTION public.new_signal(owner integer, signal_head text, routing text, routing_control_location text, issued text) RETURNS public.new_entry
    LANGUAGE sql IMMUTABLE
    AS $$
  select row(2, owner, null, signal_head || ',"routingResult":{"id":"',
    '","routing":"' || routing || coalesce('","routingControlLocation":"' || routing_control_location, '')
      || '","documentIssueDate":"' || issued || '"}}', null, null, null, null, null, null)::new_entry
$$;

CREATE FUNCTION public.new_status(owner integer, id uuid, failed boolean, ens_id integer, entry text) RETURNS public.new_entry
    LANGUAGE sql IMMUTABLE
    AS $$
  select row(1, owner, id, entry, null, failed, ens_id, null, null, null, null)::new_entry
$$;

CREATE FUNCTION public.normalise_identifier(identifier text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
  letters text := normalize(regexp_replace(identifier collate "C", '[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'), NFD);
begin
  if letters ~ '[ßŉևẚẞﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ]' then
    select string_agg(coalesce(capitals, letter), '' order by place) into letters
    from string_to_table(letters, null) with ordinality as each (letter, place)
    left join (values ('ß', 'SS'), ('ŉ', 'ʼN'), ('և', 'ԵՒ'), ('ẚ', 'Aʾ'), ('ẞ', 'SS'), ('ﬀ', 'FF'), ('ﬁ', 'FI'), ('ﬂ', 'FL'), ('ﬃ', 'FFI'), ('ﬄ', 'FFL'), ('ﬅ', 'ST'), ('ﬆ', 'ST'), ('ﬓ', 'ՄՆ'), ('ﬔ', 'ՄԵ'), ('ﬕ', 'ՄԻ'), ('ﬖ', 'ՎՆ'), ('ﬗ', 'ՄԽ')) as capital (small, capitals)
      on small = letter collate "C";
  end if;
  return normalize(translate(letters,
    'abcdefghijklmnopqrstuvwxyzµæðøþđħıĳŀłŋœŧſƀƃƅƈƌƒƕƙƚƞƣƥƨƭƴƶƹƽƿǅǆǈǉǋǌǝǥǲǳȝȣȥȼɂɇɉɋɍɏɓɔɖɗəɛɠɣɨɩɯɲɵʀʃʈʉʊʋʌʒͅͱͳͷͻͼͽαβγδεζηθικλμνξοπρςστυφχψωϐϑϕϖϗϙϛϝϟϡϣϥϧϩϫϭϯϰϱϲϳϴϵϸϻабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӄӆӈӊӌӎӏӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆᲀᲁᲂᲃᲄᲅᲆᲇⱥⱦ',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZΜÆÐØÞĐĦIĲĿŁŊŒŦSɃƂƄƇƋƑǶƘȽȠƢƤƧƬƳƵƸƼǷǄǄǇǇǊǊƎǤǱǱȜȢȤȻɁɆɈɊɌɎƁƆƉƊƏƐƓƔƗƖƜƝƟƦƩƮɄƱƲɅƷΙͰͲͶϽϾϿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΣΤΥΦΧΨΩΒΘΦΠϏϘϚϜϞϠϢϤϦϨϪϬϮΚΡϹͿΘΕϷϺАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӃӅӇӉӋӍӀӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖВДОСТТЪѢȺȾ'), NFC);
end
$$;

CREATE FUNCTION public.note_audited_rows(lists text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if coalesce(current_setting('landfall.audit_time', true), '') <> ''
    and exists (select from audit_chain_end where xmin = pg_current_xact_id()::xid)
  then
    perform append_audited_rows(lists);
  else
    perform set_config('landfall.audited_rows',
      concat_ws(';', nullif(current_setting('landfall.audited_rows', true), ''), lists), true);
  end if;
end
$$;

CREATE FUNCTION public.parties_under_master(master integer) RETURNS TABLE(party integer)
    LANGUAGE sql STABLE
    AS $$
  select distinct parties.party
  from houses_of_master(master, false) under
  cross join lateral (select declarant, representative from declaration where id = under.id offset 0) d
  cross join lateral (values (d.declarant), (d.representative)) parties (party)
  where parties.party is not null
$$;

CREATE FUNCTION public.reach_level(level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean) RETURNS TABLE(house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
    LANGUAGE plpgsql STABLE
    AS $$
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
    ),
    reached as (
      select e.id, e.mrn, e.declarant, e.representative, rank() over (order by e.kind is not null, e.kind is not null and is_closed(e.id)) as preference
      from found
      cross join lateral (select * from declaration where id = found.id offset 0) e
      where (reach_level.mrn is null or e.mrn = reach_level.mrn or e.kind = 'HOUSE' and is_under_master(e.id, reach_level.mrn))
        and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters))
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from (select * from reached where preference = 1 offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g
      where g.ens_id = e.id and g.master_document_key = reference_key and g.master_document_type = reference_type
      offset 0
    ) h;
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

CREATE FUNCTION public.record_accepted_rows(tables json) RETURNS void
    LANGUAGE sql
    AS $$
  select append_audit_record(3, '{"at":"' || api_time(clock_timestamp()) || '","action":"rows.accepted","details":{"accepted":'
    || json_build_object('user', session_user, 'tables', tables) || ',"rowBase":{"number":'
    || nextval('audited_row_base_number') || ',"digest":"' || digest_audited_row_base() || '"}}}')
$$;

CREATE FUNCTION public.record_audited_row_base() RETURNS void
    LANGUAGE sql
    AS $$
  select append_audit_record(3, '{"at":"' || api_time(clock_timestamp()) || '","action":"rows.base","details":{"rowBase":{"number":'
    || nextval('audited_row_base_number') || ',"digest":"' || digest_audited_row_base() || '"}}}')
$$;

CREATE FUNCTION public.record_time(given timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.registered_house(document_number text, document_type text, signal_head text, receptacle_id text, subheadings text[], routing text, routing_control_location text) RETURNS json
    LANGUAGE sql IMMUTABLE
    AS $$
  select json_strip_nulls(json_build_object(
    'transportDocumentHouseLevel', json_build_object('documentNumber', document_number, 'type', document_type),
    'transportDocumentMasterLevel', (signal_head || '}')::json -> 'transportDocumentMasterLevel',
    'receptacleId', receptacle_id,
    'containerId', (signal_head || '}')::json -> 'containerId',
    'harmonizedSystemSubheadingCode', subheadings,
    'routing', routing,
    'routingControlLocation', routing_control_location))
$$;

CREATE FUNCTION public.related_above(message integer, of_level text) RETURNS TABLE(id integer)
    LANGUAGE sql STABLE
    AS $$
  select r.parent
  from movement_relation r
  cross join lateral (select * from movement where declaration_id = r.parent offset 0) upper_message
  cross join lateral (select * from movement where declaration_id = r.child offset 0) lower_message
  where r.child = message and r.cancelled_at is null and upper_message.level = of_level
    and were_current_together(upper_message::movement, lower_message::movement)
$$;

CREATE FUNCTION public.related_below(message integer, of_level text) RETURNS TABLE(id integer)
    LANGUAGE sql STABLE
    AS $$
  select r.child
  from movement_relation r
  cross join lateral (select * from movement where declaration_id = r.parent offset 0) upper_message
  cross join lateral (select * from movement where declaration_id = r.child offset 0) lower_message
  where r.parent = message and r.cancelled_at is null and lower_message.level = of_level
    and were_current_together(upper_message::movement, lower_message::movement)
$$;

CREATE FUNCTION public.relations_of_goods(declaration integer, master_key text, master_type text, receptacle text) RETURNS TABLE(relation text)
    LANGUAGE sql STABLE ROWS 4
    AS $_$
  select 'PARTY ' || party
  from (select * from declaration e where e.id = $1 offset 0) e
  cross join lateral (select e.declarant as party union select e.representative) parties
  where party is not null
  union all
  select 'MASTER ' || $3 || ' ' || $2 where $2 is not null
  union all
  select 'RECEPTACLE ' || $4 where $4 is not null
$_$;

CREATE FUNCTION public.relations_to_find(declaration integer, master_key text, master_type text, receptacle text, expected_only boolean) RETURNS TABLE(relation text)
    LANGUAGE sql STABLE ROWS 6
    AS $_$
  select as_what || party
  from (select * from declaration e where e.id = $1 offset 0) e
  cross join lateral (select e.declarant as party union select e.representative) parties
  cross join (values ('PARTY '), ('NAMED ')) named (as_what)
  where party is not null and (not $5 or as_what = 'PARTY ' and party = e.declarant)
  union all
  select 'MASTER ' || $3 || ' ' || $2 where $2 is not null and not $5
  union all
  select 'RECEPTACLE ' || $4 where $4 is not null and not $5
$_$;

CREATE FUNCTION public.relations_to_keep(declaration integer, master_key text, master_type text, receptacle text) RETURNS TABLE(relation text)
    LANGUAGE sql STABLE ROWS 4
    AS $_$
  select case party when e.declarant then 'PARTY ' else 'NAMED ' end || party
  from (select * from declaration e where e.id = $1 offset 0) e
  cross join lateral (select e.declarant as party union select e.representative) parties
  where party is not null
  union all
  select 'MASTER ' || $3 || ' ' || $2 where $2 is not null
  union all
  select 'RECEPTACLE ' || $4 where $4 is not null
$_$;

CREATE FUNCTION public.same_goods(house uuid, expected_only boolean) RETURNS TABLE(other uuid)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
declare
  h record;
begin
  select document_key, document_type into h from house_consignment where id = house;
  if h.document_key is null or (
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is null then
    return;
  end if;
  return query
  with recursive pair as materialized (
    select lodged as one, declared as two from told_twice(h.document_key, h.document_type, expected_only)
  ),
  reached (id) as (
    select house
    union
    select case when pair.one = reached.id then pair.two else pair.one end
    from reached join pair on reached.id in (pair.one, pair.two)
  )
  select id from reached where id <> house;
end
$$;

CREATE FUNCTION public.told_twice(of_document_key text, of_document_type text, expected_only boolean) RETURNS TABLE(lodged uuid, declared uuid)
    LANGUAGE sql STABLE
    AS $$
  with candidate as materialized (
    select o.*, e.kind, e.declarant, e.representative, e.carrier, e.presenters
    from house_consignment o
    cross join lateral (select * from declaration where id = o.ens_id offset 0) e
    where o.document_key = of_document_key and o.document_type = of_document_type
  ),
  declared as materialized (
    select d.*, coalesce((select at from registration where id = d.registration), '-infinity') as registered_at
    from (select * from candidate where kind is null order by id limit 100) d
  ),
  lodged as materialized (
    select l.*, m.lodged_at, m.ended_at
    from (
      select * from candidate c
      where kind = 'HOUSE' and (
        select true from declared d
        where d.master_document_key = c.master_document_key and d.master_document_type = c.master_document_type
          or d.receptacle_id = c.receptacle_id
        limit 1
      )
      order by id limit 1000
    ) l
    cross join lateral (select lodged_at, ended_at from movement where declaration_id = l.ens_id offset 0) m
  ),
  pair as materialized (
    select l.id as one, e.id as two, l.lodged_at, l.ended_at
    from lodged l
    join declared e on
      (l.master_document_key = e.master_document_key and l.master_document_type = e.master_document_type
        or l.receptacle_id = e.receptacle_id)
      and (l.ended_at is null or e.registered_at < l.ended_at)
      and not (e.routing is not distinct from 'TO_ENTRY' and (
        select true from signal_recipient c
        where c.house_consignment_id = e.id and c.first_presented_at < l.lodged_at - interval '7 days' limit 1
      ) is not null)
      -- One of several spellings of a declaration is meant by its own text only.
      and (e.only_spelling is null or e.only_spelling = l.document_number)
      and (not expected_only or may_present(l.declarant, e.declarant, e.representative, e.carrier, e.presenters))
  )
  select one, two from pair
  where not exists (select from pair closed where closed.two = pair.two and closed.ended_at <= pair.lodged_at)
$$;

CREATE FUNCTION public.transports_of_house(house integer, expected_only boolean) RETURNS TABLE(id integer, master integer)
    LANGUAGE sql STABLE
    AS $$
  select t.id, m.id
  from movement h
  cross join lateral masters_of_house(h.declaration_id, expected_only) m
  cross join lateral transports_of_master(m.id, expected_only) t
  cross join lateral (select * from movement where declaration_id = t.id offset 0) transport
  where h.declaration_id = house and were_current_together(transport::movement, h)
  union
  select t.declaration_id, null
  from movement m
  join house_consignment h on h.ens_id = m.declaration_id
  join movement_reference r
    on r.reference = m.document_number and r.kind = 'HOUSE_CONSIGNMENT' and r.reference_type = m.document_type
  cross join lateral (
    select * from movement
    where declaration_id = r.declaration_id and mode = m.mode and carrier = m.carrier
    offset 0
  ) t
  where m.declaration_id = house and h.master_document_number is null and h.receptacle_id is null
    and were_current_together(t::movement, m) and may_couple(t::movement, m, expected_only)
  union
  select related.id, null from related_above(house, 'TRANSPORT') related
$$;

CREATE FUNCTION public.transports_of_master(master integer, expected_only boolean) RETURNS TABLE(id integer)
    LANGUAGE sql STABLE
    AS $$
  select t.declaration_id
  from movement m
  join movement_reference r
    on r.reference = m.document_number and r.kind = 'MASTER_CONSIGNMENT' and r.reference_type = m.document_type
  cross join lateral (
    select * from movement
    where declaration_id = r.declaration_id and mode = m.mode and carrier = m.carrier
    offset 0
  ) t
  where m.declaration_id = master and were_current_together(t::movement, m)
    and may_couple(t::movement, m, expected_only)
  union all
  select related.id from related_above(master, 'TRANSPORT') related
$$;

CREATE FUNCTION public.validation_status_entry(request_id text, failed boolean, level text, notified text, mrn text, office text, houses bigint, errors text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
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

CREATE FUNCTION public.validation_status_entry(request_id text, failed boolean, level text, notified text, mrn text, office text, houses bigint, errors text, ignored text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select left(validation_status_entry(request_id, failed, level, notified, mrn, office, houses, errors), -1)
    || coalesce(',"ignoredMembers":[' || ignored || ']', '')
    || '}'
$$;

CREATE FUNCTION public.were_current_together(one public.movement, other public.movement) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select coalesce(one.state, 'CLOSED') = 'CLOSED' and coalesce(other.state, 'CLOSED') = 'CLOSED'
    and coalesce(one.ended_at, 'infinity') > other.lodged_at and coalesce(other.ended_at, 'infinity') > one.lodged_at
$$;

CREATE TABLE public.audit_record (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
PARTITION BY RANGE (recorded_at);
ALTER TABLE ONLY public.audit_record ALTER COLUMN entry SET STORAGE EXTERNAL;

CREATE VIEW public.audit_chain AS
 WITH RECURSIVE found AS (
         SELECT min(audit_record.chain) AS chain
           FROM public.audit_record
        UNION ALL
         SELECT ( SELECT min(r.chain) AS min
                   FROM public.audit_record r
                  WHERE (r.chain > found_1.chain)) AS min
           FROM found found_1
          WHERE (found_1.chain IS NOT NULL)
        )
 SELECT found.chain
   FROM found
  WHERE (found.chain IS NOT NULL);

CREATE TABLE public.audit_chain_end (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    recorded_at timestamp with time zone NOT NULL
)
WITH (fillfactor='20');

CREATE TABLE public.audit_export (
    until timestamp with time zone NOT NULL,
    sha256 text NOT NULL COLLATE pg_catalog."C",
    ends jsonb NOT NULL,
    exported_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.audit_record_later (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY public.audit_record_later ALTER COLUMN entry SET STORAGE EXTERNAL;

CREATE TABLE public.audit_removal (
    kind text NOT NULL COLLATE pg_catalog."C",
    until timestamp with time zone NOT NULL,
    ends jsonb NOT NULL,
    CONSTRAINT audit_removal_kind_check CHECK ((kind = ANY (ARRAY['records'::text, 'feed accesses'::text])))
);

CREATE TABLE public.audit_verification (
    single boolean DEFAULT true NOT NULL,
    at timestamp with time zone NOT NULL,
    records bigint NOT NULL,
    breaks integer NOT NULL,
    records_only boolean NOT NULL,
    CONSTRAINT audit_verification_single_check CHECK (single)
);

CREATE TABLE public.awaited_document (
    declaration_id integer NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT awaited_document_kind_check CHECK ((kind = ANY (ARRAY['CUDE'::text, 'N820'::text])))
);

CREATE TABLE public.client (
    organisation_id integer NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    scopes text[],
    certificates text[] DEFAULT '{}'::text[] NOT NULL,
    keys jsonb DEFAULT '[]'::jsonb NOT NULL,
    blocked boolean DEFAULT false NOT NULL
);

CREATE TABLE public.code_list_import (
    code_list text NOT NULL COLLATE pg_catalog."C",
    imported_at timestamp with time zone NOT NULL,
    entries integer NOT NULL
);

CREATE TABLE public.customs_office (
    reference_number text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    valid_from date,
    valid_to date,
    name_key text
);

CREATE TABLE public.declaration (
    id integer NOT NULL,
    mrn text NOT NULL COLLATE pg_catalog."C",
    customs_office_of_first_entry text,
    declarant integer NOT NULL,
    representative integer,
    estimated_time_of_arrival timestamp with time zone,
    transport_means_number text,
    transport_means_type text,
    carrier integer,
    presenters integer[],
    version bigint,
    withdrawal bigint,
    source_version bigint,
    kind text COLLATE pg_catalog."C"
);

CREATE TABLE public.document (
    organisation_id integer NOT NULL,
    declaration_id text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    document_type text NOT NULL,
    file_name text NOT NULL,
    kind text NOT NULL,
    size integer NOT NULL,
    sha256 bytea NOT NULL,
    content bytea NOT NULL,
    uploaded_at timestamp with time zone NOT NULL,
    client_id text NOT NULL,
    request_id text NOT NULL,
    CONSTRAINT document_kind_check CHECK ((kind = ANY (ARRAY['pdf'::text, 'jpg'::text, 'png'::text, 'txt'::text, 'docx'::text, 'xlsx'::text]))),
    CONSTRAINT document_size_check CHECK ((size >= 1))
);
ALTER TABLE ONLY public.document ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE public.entered_house_consignment (
    house_consignment_id uuid NOT NULL,
    presentation bigint NOT NULL
);

CREATE TABLE public.goods_item_view (
    organisation_id integer NOT NULL,
    version integer NOT NULL,
    conditions jsonb,
    changed_at timestamp with time zone NOT NULL,
    changed_by text NOT NULL,
    changed_by_client text NOT NULL
);

CREATE TABLE public.house_consignment (
    id uuid NOT NULL,
    ens_id integer NOT NULL,
    document_number text NOT NULL COLLATE pg_catalog."C",
    document_type text NOT NULL COLLATE pg_catalog."C",
    master_document_number text COLLATE pg_catalog."C",
    master_document_type text COLLATE pg_catalog."C",
    receptacle_id text COLLATE pg_catalog."C",
    signal_head text NOT NULL,
    routing text,
    routing_control_location text,
    registration bigint,
    registered_routing text,
    registered_control_location text,
    subheadings text[],
    document_key text COLLATE pg_catalog."C",
    master_document_key text COLLATE pg_catalog."C",
    only_spelling text COLLATE pg_catalog."C",
    CONSTRAINT house_consignment_registered_control_location_check CHECK ((registered_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text]))),
    CONSTRAINT house_consignment_registered_routing_check CHECK ((registered_routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text]))),
    CONSTRAINT house_consignment_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text])))
);

CREATE TABLE public.house_consignment_container (
    container_id text NOT NULL COLLATE pg_catalog."C",
    house_consignment_id uuid NOT NULL,
    ens_id integer NOT NULL
);

CREATE TABLE public.issued_signal (
    house_consignment_id uuid NOT NULL,
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    decision integer NOT NULL
);

CREATE TABLE public.kept_control (
    document_key text NOT NULL COLLATE pg_catalog."C",
    document_type text NOT NULL COLLATE pg_catalog."C",
    relation text NOT NULL COLLATE pg_catalog."C",
    location text NOT NULL COLLATE pg_catalog."C",
    house_consignment_id uuid NOT NULL,
    kept_at timestamp with time zone NOT NULL
);

COMMENT ON COLUMN public.kept_control.location IS 'What tells controls of one key apart. Of withdrawn goods: where the control takes place, after OFFICER if an officer decided it. Of goods that are current, and had this in common before: their id.';

CREATE TABLE public.level_presentation (
    ens_id integer NOT NULL,
    presenter integer NOT NULL,
    request_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    level text NOT NULL,
    reference text NOT NULL,
    document_type text
);

CREATE TABLE public.movement_reference (
    declaration_id integer NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    reference text NOT NULL COLLATE pg_catalog."C",
    reference_type text COLLATE pg_catalog."C",
    CONSTRAINT movement_reference_kind_check CHECK ((kind = ANY (ARRAY['MASTER_CONSIGNMENT'::text, 'HOUSE_CONSIGNMENT'::text, 'RECEPTACLE'::text])))
);

CREATE TABLE public.movement_relation (
    mrn text NOT NULL COLLATE pg_catalog."C",
    parent integer NOT NULL,
    child integer NOT NULL,
    maker integer NOT NULL,
    request_id uuid NOT NULL,
    related_at timestamp with time zone NOT NULL,
    cancelled_at timestamp with time zone
);

CREATE TABLE public.movement_text (
    declaration_id integer NOT NULL,
    body text NOT NULL
);

CREATE TABLE public.organisation (
    id integer NOT NULL,
    identifier text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'domestic'::text NOT NULL,
    blocked boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organisation_kind_check CHECK ((kind = ANY (ARRAY['domestic'::text, 'foreign'::text])))
);

CREATE TABLE public.organisation_number (
    number text NOT NULL COLLATE pg_catalog."C",
    organisation_id integer NOT NULL
);

CREATE TABLE public.organisation_scope (
    organisation_id integer NOT NULL,
    scope text NOT NULL COLLATE pg_catalog."C",
    granted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.presented_reference (
    number bigint NOT NULL,
    level text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL COLLATE pg_catalog."C",
    document_type text COLLATE pg_catalog."C",
    mrn text COLLATE pg_catalog."C",
    presenter integer NOT NULL,
    request_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    expected_only boolean NOT NULL
);

CREATE TABLE public.push_subscription (
    id uuid NOT NULL,
    organisation_id integer NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    kind integer NOT NULL,
    owner integer NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    signature text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT push_subscription_signature_check CHECK ((signature = ANY (ARRAY['v1'::text, 'v1a'::text])))
);

CREATE TABLE public.reference_document (
    kind text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    registered_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT reference_document_state_check CHECK ((state = ANY (ARRAY['VALID'::text, 'INVALID'::text])))
);

CREATE TABLE public.registration (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    organisation_id integer,
    client_id text,
    request_id uuid NOT NULL
);

CREATE TABLE public.removed_client (
    organisation_id integer NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.removed_status_ens (
    ens_id integer NOT NULL,
    owner integer NOT NULL
);

CREATE TABLE public.routing_profile (
    name text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    profile text NOT NULL,
    live_since timestamp with time zone
);

CREATE TABLE public.routing_run (
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    state text NOT NULL,
    version integer NOT NULL,
    state_changed_at timestamp with time zone NOT NULL,
    problem text,
    selection jsonb,
    routing text,
    routing_control_location text,
    reason text NOT NULL,
    origin text NOT NULL,
    organisation_id integer NOT NULL,
    client_id text NOT NULL,
    request_id text NOT NULL,
    reverses uuid,
    house_consignments integer NOT NULL,
    decided integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    conflicts integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    signals integer DEFAULT 0 NOT NULL,
    confirmed_at timestamp with time zone,
    confirmed_organisation_id integer,
    confirmed_client_id text,
    CONSTRAINT routing_run_origin_check CHECK ((origin = ANY (ARRAY['OFFICER'::text, 'ENGINE'::text]))),
    CONSTRAINT routing_run_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text]))),
    CONSTRAINT routing_run_state_check CHECK ((state = ANY (ARRAY['PROPOSED'::text, 'RUNNING'::text, 'PAUSED'::text, 'GIVEN_UP'::text, 'COMPLETED'::text])))
);

CREATE TABLE public.routing_run_result (
    run_id uuid NOT NULL,
    house_consignment_id uuid NOT NULL,
    expected integer,
    routing text,
    routing_control_location text,
    status text,
    error_code text,
    decision integer,
    CONSTRAINT routing_run_result_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text]))),
    CONSTRAINT routing_run_result_status_check CHECK ((status = ANY (ARRAY['DECIDED'::text, 'UNCHANGED'::text, 'CONFLICT'::text, 'REFUSED'::text])))
);

CREATE TABLE public.signal_recipient (
    house_consignment_id uuid NOT NULL,
    organisation_id integer NOT NULL,
    presenter integer NOT NULL,
    request_id uuid NOT NULL,
    signal_position bigint,
    first_presented_at timestamp with time zone,
    office text COLLATE pg_catalog."C",
    awaits_decision boolean,
    transport integer,
    master integer
);

CREATE TABLE public.unlo_code_group (
    prefix text NOT NULL COLLATE pg_catalog."C",
    codes text[] NOT NULL COLLATE pg_catalog."C",
    names text[] NOT NULL,
    name_keys text[] NOT NULL
);

CREATE TABLE public.validation_status_ens (
    owner integer NOT NULL,
    ens_id integer NOT NULL,
    "position" bigint NOT NULL
);

CREATE TABLE public.withdrawn_house_consignment (
    id uuid NOT NULL,
    ens_id integer NOT NULL,
    document_number text NOT NULL COLLATE pg_catalog."C",
    document_type text NOT NULL COLLATE pg_catalog."C",
    master_document_number text COLLATE pg_catalog."C",
    master_document_type text COLLATE pg_catalog."C",
    receptacle_id text COLLATE pg_catalog."C",
    signal_head text NOT NULL,
    routing text,
    routing_control_location text,
    registration bigint,
    registered_routing text,
    registered_control_location text,
    subheadings text[],
    withdrawal bigint NOT NULL,
    document_key text COLLATE pg_catalog."C",
    master_document_key text COLLATE pg_catalog."C",
    CONSTRAINT withdrawn_house_consignment_registered_control_location_check CHECK ((registered_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text]))),
    CONSTRAINT withdrawn_house_consignment_registered_routing_check CHECK ((registered_routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text]))),
    CONSTRAINT withdrawn_house_consignment_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text])))
);

CREATE VIEW public.audited_row AS
 SELECT 'awaited_document'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.declaration_id, r_1.kind, r_1.reference))) AS digest,
            (ROW(r_1.declaration_id, r_1.kind, r_1.reference))::text AS key
           FROM public.awaited_document r_1) r
UNION ALL
 SELECT 'client'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.organisation_id, r_1.client_id, r_1.scopes, r_1.certificates, r_1.keys, r_1.blocked))) AS digest,
            (ROW(r_1.organisation_id, r_1.client_id))::text AS key
           FROM public.client r_1) r
UNION ALL
 SELECT 'code_list_import'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.code_list, r_1.imported_at, r_1.entries))) AS digest,
            (ROW(r_1.code_list))::text AS key
           FROM public.code_list_import r_1) r
UNION ALL
 SELECT 'customs_office'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest((record_send(ROW(r_1.reference_number, r_1.name, r_1.valid_from, r_1.valid_to)) ||
                CASE
                    WHEN (r_1.name_key IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.name_key))
                END)) AS digest,
            (ROW(r_1.reference_number))::text AS key
           FROM public.customs_office r_1) r
UNION ALL
 SELECT 'document'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.organisation_id, r_1.declaration_id, r_1.id, r_1.document_type, r_1.file_name, r_1.kind, r_1.size, r_1.sha256, r_1.content, r_1.uploaded_at, r_1.client_id, r_1.request_id))) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.document r_1) r
UNION ALL
 SELECT 'entered_house_consignment'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.house_consignment_id, r_1.presentation))) AS digest,
            (ROW(r_1.house_consignment_id, r_1.presentation))::text AS key
           FROM public.entered_house_consignment r_1) r
UNION ALL
 SELECT 'entry_summary_declaration'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(((record_send(ROW(r_1.id, r_1.mrn, r_1.customs_office_of_first_entry, r_1.declarant, r_1.representative, r_1.estimated_time_of_arrival, r_1.transport_means_number, r_1.transport_means_type, r_1.carrier, r_1.presenters, r_1.version, r_1.withdrawal)) ||
                CASE
                    WHEN (r_1.source_version IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.source_version))
                END) ||
                CASE
                    WHEN (r_1.kind IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.kind))
                END)) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.declaration r_1) r
UNION ALL
 SELECT 'goods_item_view'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.organisation_id, r_1.version, r_1.conditions, r_1.changed_at, r_1.changed_by, r_1.changed_by_client))) AS digest,
            (ROW(r_1.organisation_id))::text AS key
           FROM public.goods_item_view r_1) r
UNION ALL
 SELECT 'house_consignment'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest((record_send(ROW(r_1.id, r_1.ens_id, r_1.document_number, r_1.document_type, r_1.master_document_number, r_1.master_document_type, r_1.receptacle_id, r_1.signal_head, r_1.registration, r_1.registered_routing, r_1.registered_control_location, r_1.subheadings)) ||
                CASE
                    WHEN (r_1.only_spelling IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.only_spelling))
                END)) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.house_consignment r_1) r
UNION ALL
 SELECT 'house_consignment_container'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.container_id, r_1.house_consignment_id, r_1.ens_id))) AS digest,
            (ROW(r_1.container_id, r_1.house_consignment_id))::text AS key
           FROM public.house_consignment_container r_1) r
UNION ALL
 SELECT 'issued_signal'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(string_agg(r_1.content, '\x'::bytea)) AS digest,
            (ROW(r_1.house_consignment_id, r_1.decision))::text AS key
           FROM ( SELECT r_2.house_consignment_id,
                    r_2.decision,
                    record_send(ROW(r_2.house_consignment_id, r_2.owner, r_2."position", r_2.decision)) AS content
                   FROM public.issued_signal r_2
                  ORDER BY r_2.house_consignment_id, r_2.decision, (record_send(ROW(r_2.house_consignment_id, r_2.owner, r_2."position", r_2.decision)))) r_1
          GROUP BY r_1.house_consignment_id, r_1.decision) r
UNION ALL
 SELECT 'kept_control'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.document_key, r_1.document_type, r_1.relation, r_1.location, r_1.house_consignment_id, r_1.kept_at))) AS digest,
            (ROW(r_1.document_key, r_1.document_type, r_1.relation, r_1.location))::text AS key
           FROM public.kept_control r_1) r
UNION ALL
 SELECT 'level_presentation'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.ens_id, r_1.presenter, r_1.request_id, r_1.at, r_1.level, r_1.reference, r_1.document_type))) AS digest,
            (ROW(r_1.ens_id, r_1.presenter, r_1.request_id))::text AS key
           FROM public.level_presentation r_1) r
UNION ALL
 SELECT 'movement'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest((((record_send(ROW(r_1.declaration_id, r_1.level, r_1.mode, r_1.submitter, r_1.representative, r_1.key, r_1.state, r_1.request_id, r_1.lodged_at, r_1.replaced_at, r_1.ended_at, r_1.document_number, r_1.document_type, r_1.carrier, r_1.means, r_1.listed, r_1.reasons, r_1.completed_at, r_1.text_removed_at, r_1.estimated_at, r_1.scheduled_at, r_1.conveyance, r_1.office, r_1.weight, r_1.house_key, r_1.arrived_at, r_1.arrival_office, r_1.arrival_request_id, r_1.arrival_recorded_at, r_1.arrival_signal)) ||
                CASE
                    WHEN (r_1.import_procedure IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.import_procedure))
                END) ||
                CASE
                    WHEN (r_1.outgoing_procedure IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.outgoing_procedure))
                END) ||
                CASE
                    WHEN (r_1.consignor_country IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.consignor_country))
                END)) AS digest,
            (ROW(r_1.declaration_id))::text AS key
           FROM public.movement r_1) r
UNION ALL
 SELECT 'movement_reference'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.declaration_id, r_1.kind, r_1.number, r_1.reference, r_1.reference_type))) AS digest,
            (ROW(r_1.declaration_id, r_1.kind, r_1.number))::text AS key
           FROM public.movement_reference r_1) r
UNION ALL
 SELECT 'movement_relation'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.mrn, r_1.parent, r_1.child, r_1.maker, r_1.request_id, r_1.related_at, r_1.cancelled_at))) AS digest,
            (ROW(r_1.mrn))::text AS key
           FROM public.movement_relation r_1) r
UNION ALL
 SELECT 'movement_text'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.declaration_id, r_1.body))) AS digest,
            (ROW(r_1.declaration_id))::text AS key
           FROM public.movement_text r_1) r
UNION ALL
 SELECT 'organisation'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.id, r_1.identifier, r_1.name, r_1.kind, r_1.blocked, r_1.created_at))) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.organisation r_1) r
UNION ALL
 SELECT 'organisation_number'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.number, r_1.organisation_id))) AS digest,
            (ROW(r_1.number))::text AS key
           FROM public.organisation_number r_1) r
UNION ALL
 SELECT 'organisation_scope'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.organisation_id, r_1.scope, r_1.granted_at))) AS digest,
            (ROW(r_1.organisation_id, r_1.scope))::text AS key
           FROM public.organisation_scope r_1) r
UNION ALL
 SELECT 'presented_reference'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.number, r_1.level, r_1.reference, r_1.document_type, r_1.mrn, r_1.presenter, r_1.request_id, r_1.at, r_1.expected_only))) AS digest,
            (ROW(r_1.number))::text AS key
           FROM public.presented_reference r_1) r
UNION ALL
 SELECT 'push_subscription'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.id, r_1.organisation_id, r_1.client_id, r_1.kind, r_1.owner, r_1.url, r_1.signature, r_1.created_at))) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.push_subscription r_1) r
UNION ALL
 SELECT 'reference_document'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.kind, r_1.reference, r_1.state, r_1.registered_at, r_1.changed_at))) AS digest,
            (ROW(r_1.kind, r_1.reference))::text AS key
           FROM public.reference_document r_1) r
UNION ALL
 SELECT 'registration'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.id, r_1.at, r_1.organisation_id, r_1.client_id, r_1.request_id))) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.registration r_1) r
UNION ALL
 SELECT 'removed_client'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.organisation_id, r_1.client_id))) AS digest,
            (ROW(r_1.organisation_id, r_1.client_id))::text AS key
           FROM public.removed_client r_1) r
UNION ALL
 SELECT 'removed_status_ens'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.ens_id, r_1.owner))) AS digest,
            (ROW(r_1.ens_id, r_1.owner))::text AS key
           FROM public.removed_status_ens r_1) r
UNION ALL
 SELECT 'routing_decision'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest((((record_send(ROW(r_1.house_consignment_id, r_1.number, r_1.decided_at, r_1.routing, r_1.routing_control_location, r_1.reason, r_1.organisation_id, r_1.client_id, r_1.request_id, r_1.profile, r_1.profile_version, r_1.profile_rule, r_1.origin, r_1.takes_effect, r_1.decision_id)) ||
                CASE
                    WHEN (r_1.run_id IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.run_id))
                END) ||
                CASE
                    WHEN (r_1.taken_from IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.taken_from))
                END) ||
                CASE
                    WHEN (r_1.first_decided_at IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.first_decided_at))
                END)) AS digest,
            (ROW(r_1.house_consignment_id, r_1.number))::text AS key
           FROM public.routing_decision r_1) r
UNION ALL
 SELECT 'routing_profile'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.name, r_1.version, r_1.created_at, r_1.profile, r_1.live_since))) AS digest,
            (ROW(r_1.name, r_1.version))::text AS key
           FROM public.routing_profile r_1) r
UNION ALL
 SELECT 'routing_run'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest((((record_send(ROW(r_1.id, r_1.created_at, r_1.state, r_1.version, r_1.state_changed_at, r_1.problem, r_1.selection, r_1.routing, r_1.routing_control_location, r_1.reason, r_1.origin, r_1.organisation_id, r_1.client_id, r_1.request_id, r_1.reverses, r_1.house_consignments, r_1.decided, r_1.unchanged, r_1.conflicts, r_1.refused, r_1.signals)) ||
                CASE
                    WHEN (r_1.confirmed_at IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.confirmed_at))
                END) ||
                CASE
                    WHEN (r_1.confirmed_organisation_id IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.confirmed_organisation_id))
                END) ||
                CASE
                    WHEN (r_1.confirmed_client_id IS NULL) THEN '\x'::bytea
                    ELSE record_send(ROW(r_1.confirmed_client_id))
                END)) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.routing_run r_1) r
UNION ALL
 SELECT 'routing_run_result'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.run_id, r_1.house_consignment_id, r_1.expected, r_1.routing, r_1.routing_control_location, r_1.status, r_1.error_code, r_1.decision))) AS digest,
            (ROW(r_1.run_id, r_1.house_consignment_id))::text AS key
           FROM public.routing_run_result r_1) r
UNION ALL
 SELECT 'signal_recipient'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(string_agg(r_1.content, '\x'::bytea)) AS digest,
            (ROW(r_1.house_consignment_id, r_1.presenter, r_1.request_id))::text AS key
           FROM ( SELECT r_2.house_consignment_id,
                    r_2.presenter,
                    r_2.request_id,
                    ((record_send(ROW(r_2.house_consignment_id, r_2.organisation_id, r_2.presenter, r_2.request_id, r_2.signal_position, r_2.first_presented_at, r_2.office)) ||
                        CASE
                            WHEN (r_2.transport IS NULL) THEN '\x'::bytea
                            ELSE record_send(ROW(r_2.transport))
                        END) ||
                        CASE
                            WHEN (r_2.master IS NULL) THEN '\x'::bytea
                            ELSE record_send(ROW(r_2.master))
                        END) AS content
                   FROM public.signal_recipient r_2
                  ORDER BY r_2.house_consignment_id, r_2.presenter, r_2.request_id, ((record_send(ROW(r_2.house_consignment_id, r_2.organisation_id, r_2.presenter, r_2.request_id, r_2.signal_position, r_2.first_presented_at, r_2.office)) ||
                        CASE
                            WHEN (r_2.transport IS NULL) THEN '\x'::bytea
                            ELSE record_send(ROW(r_2.transport))
                        END) ||
                        CASE
                            WHEN (r_2.master IS NULL) THEN '\x'::bytea
                            ELSE record_send(ROW(r_2.master))
                        END)) r_1
          GROUP BY r_1.house_consignment_id, r_1.presenter, r_1.request_id) r
UNION ALL
 SELECT 'unlo_code_group'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.prefix, r_1.codes, r_1.names, r_1.name_keys))) AS digest,
            (ROW(r_1.prefix))::text AS key
           FROM public.unlo_code_group r_1) r
UNION ALL
 SELECT 'validation_status_ens'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.owner, r_1.ens_id, r_1."position"))) AS digest,
            (ROW(r_1.owner, r_1.ens_id, r_1."position"))::text AS key
           FROM public.validation_status_ens r_1) r
UNION ALL
 SELECT 'withdrawn_house_consignment'::text AS table_name,
    r.digest,
    r.key
   FROM ( SELECT public.audited_digest(record_send(ROW(r_1.id, r_1.ens_id, r_1.document_number, r_1.document_type, r_1.master_document_number, r_1.master_document_type, r_1.receptacle_id, r_1.signal_head, r_1.routing, r_1.routing_control_location, r_1.registration, r_1.registered_routing, r_1.registered_control_location, r_1.subheadings, r_1.withdrawal))) AS digest,
            (ROW(r_1.id))::text AS key
           FROM public.withdrawn_house_consignment r_1) r;

CREATE TABLE public.audited_row_base (
    table_name text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    rows bigint NOT NULL
);

CREATE VIEW public.audited_row_record AS
 SELECT named.table_name,
    item.item AS digest,
    named.rows,
    audit_record.chain,
    audit_record."position",
    audit_record.recorded_at
   FROM (((public.audit_record
     CROSS JOIN LATERAL string_to_table(split_part(split_part(audit_record.entry, ',"rowDigests":"'::text, 2), '"'::text, 1), ';'::text) list(list))
     CROSS JOIN LATERAL ( SELECT split_part(substr(list.list, 2), ' '::text, 1) AS table_name,
            (
                CASE "left"(list.list, 1)
                    WHEN '+'::text THEN 1
                    WHEN '-'::text THEN '-1'::integer
                    ELSE NULL::integer
                END)::bigint AS rows,
            substr(list.list, (strpos(list.list, ' '::text) + 1)) AS items
         OFFSET 0) named)
     CROSS JOIN LATERAL string_to_table(named.items, ' '::text) item(item))
  WHERE ((strpos(audit_record.entry, ',"rowDigests":"'::text) > 0) AND (audit_record.recorded_at >= COALESCE(( SELECT audit_removal.until
           FROM public.audit_removal
          WHERE (audit_removal.kind = 'records'::text)), '-infinity'::timestamp with time zone)));

CREATE VIEW public.audited_difference AS
 SELECT each.table_name,
    each.digest,
    (sum(each.rows))::bigint AS rows,
    max(each.chain) AS chain,
    max(each."position") AS "position",
    max(each.key) AS key
   FROM ( SELECT audited_row_record.table_name,
            audited_row_record.digest,
            audited_row_record.rows,
            audited_row_record.chain,
            audited_row_record."position",
            NULL::text AS key
           FROM public.audited_row_record
        UNION ALL
         SELECT audited_row_base.table_name,
            audited_row_base.digest,
            audited_row_base.rows,
            NULL::integer,
            NULL::bigint,
            NULL::text
           FROM public.audited_row_base
        UNION ALL
         SELECT audited_row.table_name,
            audited_row.digest,
            '-1'::integer,
            NULL::integer,
            NULL::bigint,
            audited_row.key
           FROM public.audited_row) each
  GROUP BY each.table_name, each.digest
 HAVING (sum(each.rows) <> (0)::numeric);

CREATE SEQUENCE public.audited_row_base_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.audited_table (
    name text NOT NULL COLLATE pg_catalog."C",
    columns text[] NOT NULL,
    digests text NOT NULL,
    source text COLLATE pg_catalog."C"
);

CREATE TABLE public.consignment_event (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    house_consignment_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
)
PARTITION BY RANGE (recorded_at);

CREATE TABLE public.consignment_event_later (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    house_consignment_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
);

CREATE TABLE public.console_logout (
    token_id text NOT NULL COLLATE pg_catalog."C",
    ends_at timestamp with time zone NOT NULL,
    subject text COLLATE pg_catalog."C",
    provider_session text COLLATE pg_catalog."C",
    received_at timestamp with time zone
);

CREATE TABLE public.console_session (
    digest bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    organisation text NOT NULL COLLATE pg_catalog."C",
    role text,
    scopes text[] NOT NULL,
    assignments json NOT NULL,
    provider_session text COLLATE pg_catalog."C",
    sealed_tokens bytea,
    started_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    confirm_after timestamp with time zone,
    confirming_until timestamp with time zone
);

CREATE TABLE public.database_backup (
    kind text NOT NULL COLLATE pg_catalog."C",
    completed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.detached_partition (
    partition oid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    parent text NOT NULL COLLATE pg_catalog."C",
    until timestamp with time zone NOT NULL
);

CREATE VIEW public.entry_summary_declaration AS
 SELECT declaration.id,
    declaration.mrn,
    declaration.customs_office_of_first_entry,
    declaration.declarant,
    declaration.representative,
    declaration.estimated_time_of_arrival,
    declaration.transport_means_number,
    declaration.transport_means_type,
    declaration.carrier,
    declaration.presenters,
    declaration.version,
    declaration.withdrawal,
    declaration.source_version
   FROM public.declaration
  WHERE (declaration.kind IS NULL);

ALTER TABLE public.declaration ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.entry_summary_declaration_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.feed_access (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    kind integer NOT NULL,
    owner integer NOT NULL,
    client_id text NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
)
PARTITION BY RANGE (recorded_at);

CREATE TABLE public.feed_access_later (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    kind integer NOT NULL,
    owner integer NOT NULL,
    client_id text NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
);

CREATE TABLE public.feed_state (
    kind integer NOT NULL,
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    removed_position bigint DEFAULT 0 NOT NULL,
    removed_id uuid
)
WITH (fillfactor='50');

CREATE TABLE public.feed_timeline (
    number integer NOT NULL,
    id uuid NOT NULL,
    begun_at timestamp with time zone NOT NULL
);

CREATE TABLE public.feed_timeline_end (
    timeline integer NOT NULL,
    kind integer NOT NULL,
    owner integer NOT NULL,
    "position" bigint NOT NULL
);

ALTER TABLE public.feed_timeline ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.feed_timeline_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.goods_item (
    declaration text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    "position" bigint NOT NULL,
    topic text NOT NULL,
    entry text,
    requested_procedure text COLLATE pg_catalog."C",
    accepted_on text COLLATE pg_catalog."C"
);

CREATE TABLE public.goods_item_event (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    declaration text COLLATE pg_catalog."C",
    number bigint,
    topic text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    entry text NOT NULL,
    requested_procedure text COLLATE pg_catalog."C",
    accepted_on text COLLATE pg_catalog."C"
);

CREATE TABLE public.goods_item_expired (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    declaration text COLLATE pg_catalog."C",
    number bigint,
    topic text NOT NULL,
    digest bytea NOT NULL,
    requested_procedure text COLLATE pg_catalog."C",
    accepted_on text COLLATE pg_catalog."C"
);

CREATE TABLE public.migration (
    name text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    oldest_version text COLLATE pg_catalog."C"
);

CREATE TABLE public.migration_progress (
    name text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL,
    rows bigint NOT NULL
);

CREATE TABLE public.movement_status (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    failed boolean NOT NULL,
    entry text NOT NULL
);

ALTER TABLE public.organisation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organisation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.presented_reference ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.presented_reference_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.primary_history (
    timeline text NOT NULL COLLATE pg_catalog."C",
    token uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE public.push_attempt (
    subscription_id uuid NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    entries integer NOT NULL,
    marker uuid,
    outcome text NOT NULL COLLATE pg_catalog."C",
    status integer,
    duration_ms integer NOT NULL
);

CREATE TABLE public.push_progress (
    subscription_id uuid NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    changed_at timestamp with time zone NOT NULL,
    address integer DEFAULT 1 NOT NULL,
    is_verified boolean NOT NULL,
    "position" bigint NOT NULL,
    marker uuid,
    confirmed_at timestamp with time zone,
    sent_to bigint,
    sent_at timestamp with time zone,
    failing_since timestamp with time zone,
    failures integer NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    attempts bigint NOT NULL,
    sender uuid,
    leased_until timestamp with time zone NOT NULL,
    CONSTRAINT push_progress_state_check CHECK ((state = ANY (ARRAY['VERIFYING'::text, 'ACTIVE'::text, 'PAUSED'::text, 'SUSPENDED'::text])))
);

CREATE TABLE public.push_secret (
    subscription_id uuid NOT NULL,
    number integer NOT NULL,
    key bytea NOT NULL,
    retires_at timestamp with time zone
);

ALTER TABLE public.registration ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.registration_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.relay_position (
    stream text NOT NULL COLLATE pg_catalog."C",
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    sequence bigint NOT NULL
);

CREATE TABLE public.removal_time (
    is_only boolean DEFAULT true NOT NULL,
    "time" timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT removal_time_is_only_check CHECK (is_only)
);

CREATE TABLE public.routing_signal (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    entry text NOT NULL
);

CREATE TABLE public.server_figures (
    at timestamp with time zone NOT NULL,
    server text NOT NULL COLLATE pg_catalog."C",
    started_at timestamp with time zone NOT NULL,
    version text NOT NULL,
    is_stopped boolean NOT NULL,
    figures jsonb NOT NULL,
    callers jsonb NOT NULL
);

CREATE TABLE public.used_grant (
    client_id text NOT NULL COLLATE pg_catalog."C",
    jti text NOT NULL COLLATE pg_catalog."C",
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE public.validation_status (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    failed boolean NOT NULL,
    ens_id integer,
    entry text NOT NULL
);

ALTER TABLE ONLY public.audit_record ATTACH PARTITION public.audit_record_later FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE ONLY public.consignment_event ATTACH PARTITION public.consignment_event_later FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE ONLY public.feed_access ATTACH PARTITION public.feed_access_later FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE ONLY public.audit_chain_end
    ADD CONSTRAINT audit_chain_end_pkey PRIMARY KEY (chain);

ALTER TABLE ONLY public.audit_export
    ADD CONSTRAINT audit_export_pkey PRIMARY KEY (until);

ALTER TABLE ONLY public.audit_record_later
    ADD CONSTRAINT audit_record_later_pkey PRIMARY KEY (chain, "position");

ALTER TABLE ONLY public.audit_removal
    ADD CONSTRAINT audit_removal_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.audit_verification
    ADD CONSTRAINT audit_verification_pkey PRIMARY KEY (single);

ALTER TABLE ONLY public.audited_row_base
    ADD CONSTRAINT audited_row_base_pkey PRIMARY KEY (table_name, digest);

ALTER TABLE ONLY public.audited_table
    ADD CONSTRAINT audited_table_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.awaited_document
    ADD CONSTRAINT awaited_document_pkey PRIMARY KEY (declaration_id, kind, reference);

ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_pkey PRIMARY KEY (organisation_id, client_id);

ALTER TABLE ONLY public.code_list_import
    ADD CONSTRAINT code_list_import_pkey PRIMARY KEY (code_list);

ALTER TABLE ONLY public.consignment_event_later
    ADD CONSTRAINT consignment_event_later_pkey PRIMARY KEY (chain, "position", index);

ALTER TABLE ONLY public.console_logout
    ADD CONSTRAINT console_logout_pkey PRIMARY KEY (token_id);

ALTER TABLE ONLY public.console_session
    ADD CONSTRAINT console_session_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.customs_office
    ADD CONSTRAINT customs_office_pkey PRIMARY KEY (reference_number);

ALTER TABLE ONLY public.database_backup
    ADD CONSTRAINT database_backup_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.detached_partition
    ADD CONSTRAINT detached_partition_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.entered_house_consignment
    ADD CONSTRAINT entered_house_consignment_pkey PRIMARY KEY (house_consignment_id, presentation);

ALTER TABLE ONLY public.declaration
    ADD CONSTRAINT entry_summary_declaration_mrn_key UNIQUE (mrn);

ALTER TABLE ONLY public.declaration
    ADD CONSTRAINT entry_summary_declaration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feed_access_later
    ADD CONSTRAINT feed_access_later_pkey PRIMARY KEY (chain, "position", index);

ALTER TABLE ONLY public.feed_state
    ADD CONSTRAINT feed_state_pkey PRIMARY KEY (kind, owner);

ALTER TABLE ONLY public.feed_timeline_end
    ADD CONSTRAINT feed_timeline_end_pkey PRIMARY KEY (kind, owner, timeline);

ALTER TABLE ONLY public.feed_timeline
    ADD CONSTRAINT feed_timeline_id_key UNIQUE (id);

ALTER TABLE ONLY public.feed_timeline
    ADD CONSTRAINT feed_timeline_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.goods_item_event
    ADD CONSTRAINT goods_item_event_pkey PRIMARY KEY (owner, "position");

ALTER TABLE ONLY public.goods_item_expired
    ADD CONSTRAINT goods_item_expired_pkey PRIMARY KEY (owner, id);

ALTER TABLE ONLY public.goods_item
    ADD CONSTRAINT goods_item_pkey PRIMARY KEY (declaration, number);

ALTER TABLE ONLY public.goods_item_view
    ADD CONSTRAINT goods_item_view_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY public.house_consignment_container
    ADD CONSTRAINT house_consignment_container_pkey PRIMARY KEY (container_id, house_consignment_id);

ALTER TABLE ONLY public.house_consignment
    ADD CONSTRAINT house_consignment_ens_id_document_number_document_type_key UNIQUE (ens_id, document_number, document_type);

ALTER TABLE ONLY public.house_consignment
    ADD CONSTRAINT house_consignment_pkey PRIMARY KEY (id);

ALTER TABLE public.house_consignment
    ADD CONSTRAINT house_consignment_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text, 'ENTRY_PENDING'::text, 'ENTRY_DENIED'::text]))) NOT VALID;

ALTER TABLE ONLY public.issued_signal
    ADD CONSTRAINT issued_signal_pkey PRIMARY KEY (house_consignment_id, owner, "position");

ALTER TABLE ONLY public.kept_control
    ADD CONSTRAINT kept_control_pkey PRIMARY KEY (document_key, document_type, relation, location);

ALTER TABLE ONLY public.level_presentation
    ADD CONSTRAINT level_presentation_pkey PRIMARY KEY (ens_id, presenter, request_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.migration_progress
    ADD CONSTRAINT migration_progress_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.movement
    ADD CONSTRAINT movement_pkey PRIMARY KEY (declaration_id);

ALTER TABLE ONLY public.movement_reference
    ADD CONSTRAINT movement_reference_pkey PRIMARY KEY (declaration_id, kind, number);

ALTER TABLE ONLY public.movement_relation
    ADD CONSTRAINT movement_relation_pkey PRIMARY KEY (mrn);

ALTER TABLE ONLY public.movement_status
    ADD CONSTRAINT movement_status_pkey PRIMARY KEY (owner, "position");

ALTER TABLE ONLY public.movement_text
    ADD CONSTRAINT movement_text_pkey PRIMARY KEY (declaration_id);

ALTER TABLE ONLY public.organisation
    ADD CONSTRAINT organisation_identifier_key UNIQUE (identifier);

ALTER TABLE ONLY public.organisation_number
    ADD CONSTRAINT organisation_number_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.organisation
    ADD CONSTRAINT organisation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organisation_scope
    ADD CONSTRAINT organisation_scope_pkey PRIMARY KEY (organisation_id, scope);

ALTER TABLE ONLY public.presented_reference
    ADD CONSTRAINT presented_reference_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.primary_history
    ADD CONSTRAINT primary_history_pkey PRIMARY KEY (timeline);

ALTER TABLE ONLY public.push_attempt
    ADD CONSTRAINT push_attempt_pkey PRIMARY KEY (subscription_id, number);

ALTER TABLE ONLY public.push_progress
    ADD CONSTRAINT push_progress_pkey PRIMARY KEY (subscription_id);

ALTER TABLE ONLY public.push_secret
    ADD CONSTRAINT push_secret_pkey PRIMARY KEY (subscription_id, number);

ALTER TABLE ONLY public.push_subscription
    ADD CONSTRAINT push_subscription_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reference_document
    ADD CONSTRAINT reference_document_pkey PRIMARY KEY (kind, reference);

ALTER TABLE ONLY public.registration
    ADD CONSTRAINT registration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.relay_position
    ADD CONSTRAINT relay_position_pkey PRIMARY KEY (stream, owner);

ALTER TABLE ONLY public.removal_time
    ADD CONSTRAINT removal_time_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.removed_client
    ADD CONSTRAINT removed_client_pkey PRIMARY KEY (organisation_id, client_id);

ALTER TABLE ONLY public.removed_status_ens
    ADD CONSTRAINT removed_status_ens_pkey PRIMARY KEY (ens_id, owner);

ALTER TABLE ONLY public.routing_decision
    ADD CONSTRAINT routing_decision_pkey PRIMARY KEY (house_consignment_id, number);

ALTER TABLE public.routing_decision
    ADD CONSTRAINT routing_decision_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text, 'ENTRY_PENDING'::text, 'ENTRY_DENIED'::text, 'UNDECIDED'::text]))) NOT VALID;

ALTER TABLE ONLY public.routing_profile
    ADD CONSTRAINT routing_profile_pkey PRIMARY KEY (name, version);

ALTER TABLE ONLY public.routing_run
    ADD CONSTRAINT routing_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.routing_run_result
    ADD CONSTRAINT routing_run_result_pkey PRIMARY KEY (run_id, house_consignment_id);

ALTER TABLE public.routing_run_result
    ADD CONSTRAINT routing_run_result_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text, 'ENTRY_PENDING'::text, 'ENTRY_DENIED'::text, 'UNDECIDED'::text]))) NOT VALID;

ALTER TABLE public.routing_run
    ADD CONSTRAINT routing_run_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text, 'ENTRY_PENDING'::text, 'ENTRY_DENIED'::text, 'UNDECIDED'::text]))) NOT VALID;

ALTER TABLE ONLY public.routing_signal
    ADD CONSTRAINT routing_signal_pkey PRIMARY KEY (owner, "position");

ALTER TABLE ONLY public.server_figures
    ADD CONSTRAINT server_figures_pkey PRIMARY KEY (at, server);

ALTER TABLE ONLY public.signal_recipient
    ADD CONSTRAINT signal_recipient_pkey PRIMARY KEY (house_consignment_id, organisation_id);

ALTER TABLE ONLY public.unlo_code_group
    ADD CONSTRAINT unlo_code_group_pkey PRIMARY KEY (prefix);

ALTER TABLE ONLY public.used_grant
    ADD CONSTRAINT used_grant_pkey PRIMARY KEY (client_id, jti);

ALTER TABLE ONLY public.validation_status_ens
    ADD CONSTRAINT validation_status_ens_pkey PRIMARY KEY (owner, ens_id, "position");

ALTER TABLE ONLY public.validation_status
    ADD CONSTRAINT validation_status_pkey PRIMARY KEY (owner, "position");

ALTER TABLE ONLY public.withdrawn_house_consignment
    ADD CONSTRAINT withdrawn_house_consignment_pkey PRIMARY KEY (id);

ALTER TABLE public.withdrawn_house_consignment
    ADD CONSTRAINT withdrawn_house_consignment_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text, 'ENTRY_PENDING'::text, 'ENTRY_DENIED'::text]))) NOT VALID;

CREATE INDEX awaited_document_reference ON public.awaited_document USING btree (reference, kind);

CREATE INDEX client_lower_id ON public.client USING btree (lower(client_id));

CREATE UNIQUE INDEX client_registered_id ON public.client USING btree (client_id) WHERE (lower(client_id) !~~ 'eidas-%'::text);

CREATE INDEX consignment_event_house ON public.consignment_event_later USING btree (house_consignment_id);

CREATE INDEX console_session_of_provider_session ON public.console_session USING btree (provider_session);

CREATE INDEX console_session_of_subject ON public.console_session USING btree (subject);

CREATE INDEX document_by_time ON public.document USING btree (uploaded_at, id);

CREATE UNIQUE INDEX document_file ON public.document USING btree (organisation_id, declaration_id, sha256);

CREATE INDEX document_of_declaration ON public.document USING btree (declaration_id, uploaded_at, id);

CREATE INDEX entered_house_consignment_presentation ON public.entered_house_consignment USING btree (presentation);

CREATE INDEX entry_summary_declaration_withdrawal ON public.declaration USING btree (withdrawal) WHERE (withdrawal IS NOT NULL);

CREATE INDEX feed_access_feed ON public.feed_access_later USING btree (owner, kind, last_position);

CREATE UNIQUE INDEX goods_item_event_id ON public.goods_item_event USING btree (owner, id);

CREATE INDEX house_consignment_container_ens ON public.house_consignment_container USING btree (container_id, ens_id, house_consignment_id);

CREATE INDEX house_consignment_container_house ON public.house_consignment_container USING btree (house_consignment_id);

CREATE INDEX house_consignment_document ON public.house_consignment USING btree (document_number, document_type);

CREATE UNIQUE INDEX house_consignment_key ON public.house_consignment USING btree (document_key, document_type, ens_id, only_spelling) NULLS NOT DISTINCT WHERE (document_key IS NOT NULL);

CREATE INDEX house_consignment_master_document ON public.house_consignment USING btree (master_document_number, ens_id, master_document_type) WHERE (master_document_number IS NOT NULL);

CREATE INDEX house_consignment_master_key ON public.house_consignment USING btree (master_document_key, ens_id, master_document_type) WHERE (master_document_key IS NOT NULL);

CREATE INDEX house_consignment_receptacle ON public.house_consignment USING btree (receptacle_id, ens_id) WHERE (receptacle_id IS NOT NULL);

CREATE INDEX house_consignment_registration ON public.house_consignment USING btree (registration);

CREATE INDEX kept_control_house ON public.kept_control USING btree (house_consignment_id);

CREATE INDEX kept_control_relation ON public.kept_control USING btree (relation);

CREATE INDEX movement_arrival_recorded_at ON public.movement USING btree (arrival_recorded_at, declaration_id) WHERE (arrival_recorded_at IS NOT NULL);

CREATE INDEX movement_closed ON public.movement USING btree (ended_at, declaration_id) WHERE ((state = 'CLOSED'::text) AND (level <> 'HOUSE_CONSIGNMENT'::text));

CREATE INDEX movement_completed ON public.movement USING btree (GREATEST(replaced_at, completed_at), declaration_id) WHERE ((replaced_at IS NOT NULL) OR (completed_at IS NOT NULL));

CREATE INDEX movement_conveyance ON public.movement USING btree (conveyance) WHERE (conveyance IS NOT NULL);

CREATE INDEX movement_current ON public.movement USING btree (level, lodged_at, declaration_id) WHERE (state IS NULL);

CREATE INDEX movement_document ON public.movement USING btree (document_number, declaration_id) WHERE (document_number IS NOT NULL);

CREATE INDEX movement_ended ON public.movement USING btree (ended_at, declaration_id) WHERE ((state IS NOT NULL) AND (text_removed_at IS NULL));

CREATE INDEX movement_estimated ON public.movement USING btree (estimated_at, declaration_id) WHERE (level = 'TRANSPORT'::text);

CREATE INDEX movement_expected ON public.movement USING btree (estimated_at, declaration_id) WHERE ((state IS NULL) AND (level = 'TRANSPORT'::text) AND (arrived_at IS NULL));

CREATE INDEX movement_house_key ON public.movement USING btree (house_key, document_type) WHERE (house_key IS NOT NULL);

CREATE UNIQUE INDEX movement_key ON public.movement USING btree (key) WHERE (state IS NULL);

CREATE INDEX movement_means ON public.movement USING btree (means, declaration_id) WHERE (means IS NOT NULL);

CREATE INDEX movement_means_estimated ON public.movement USING btree (means, estimated_at, declaration_id) WHERE (level = 'TRANSPORT'::text);

CREATE INDEX movement_office ON public.movement USING btree (COALESCE(arrival_office, office), estimated_at, declaration_id) WHERE (level = 'TRANSPORT'::text);

CREATE INDEX movement_reference_reference ON public.movement_reference USING btree (reference, kind, declaration_id);

CREATE INDEX movement_relation_child ON public.movement_relation USING btree (child);

CREATE UNIQUE INDEX movement_relation_pair ON public.movement_relation USING btree (parent, child) WHERE (cancelled_at IS NULL);

CREATE INDEX movement_relation_parent ON public.movement_relation USING btree (parent);

CREATE INDEX movement_relation_related_at ON public.movement_relation USING btree (related_at, child);

CREATE INDEX movement_representative ON public.movement USING btree (representative, declaration_id) WHERE (representative IS NOT NULL);

CREATE UNIQUE INDEX movement_status_id ON public.movement_status USING btree (owner, id);

CREATE INDEX movement_submitter ON public.movement USING btree (submitter, declaration_id);

CREATE INDEX organisation_number_organisation ON public.organisation_number USING btree (organisation_id);

CREATE INDEX presented_reference_presenter ON public.presented_reference USING btree (presenter) WHERE expected_only;

CREATE INDEX presented_reference_reference ON public.presented_reference USING btree (reference, level);

CREATE INDEX push_progress_due ON public.push_progress USING btree (next_attempt_at) WHERE (state = ANY (ARRAY['VERIFYING'::text, 'ACTIVE'::text]));

CREATE INDEX push_subscription_feed ON public.push_subscription USING btree (kind, owner);

CREATE INDEX push_subscription_organisation ON public.push_subscription USING btree (organisation_id, id);

CREATE INDEX removed_client_lower_id ON public.removed_client USING btree (lower(client_id));

CREATE INDEX routing_decision_decided_at ON public.routing_decision USING btree (decided_at, house_consignment_id, number);

CREATE UNIQUE INDEX routing_decision_of_caller ON public.routing_decision USING btree (organisation_id, decision_id) WHERE (decision_id IS NOT NULL);

CREATE INDEX routing_decision_of_run ON public.routing_decision USING btree (run_id, decided_at, house_consignment_id, number) WHERE (run_id IS NOT NULL);

CREATE UNIQUE INDEX routing_profile_live ON public.routing_profile USING btree ((true)) WHERE (live_since IS NOT NULL);

CREATE INDEX routing_run_result_open ON public.routing_run_result USING btree (run_id, house_consignment_id) WHERE (status IS NULL);

CREATE INDEX routing_run_running ON public.routing_run USING btree (id) WHERE (state = 'RUNNING'::text);

CREATE INDEX signal_recipient_awaits_decision ON public.signal_recipient USING btree (first_presented_at, house_consignment_id) INCLUDE (office) WHERE awaits_decision;

CREATE INDEX signal_recipient_first_presented_at ON public.signal_recipient USING btree (first_presented_at) INCLUDE (office, house_consignment_id) WHERE (first_presented_at IS NOT NULL);

CREATE INDEX used_grant_ends_at ON public.used_grant USING btree (ends_at);

CREATE INDEX validation_status_ens_id ON public.validation_status USING btree (owner, ens_id, "position") WHERE (ens_id IS NOT NULL);

CREATE INDEX validation_status_ens_position ON public.validation_status_ens USING btree (owner, "position");

CREATE INDEX validation_status_failed ON public.validation_status USING btree (owner, "position") WHERE failed;

CREATE UNIQUE INDEX validation_status_id ON public.validation_status USING btree (owner, id);

CREATE INDEX withdrawn_house_consignment_ens ON public.withdrawn_house_consignment USING btree (ens_id);

CREATE INDEX withdrawn_house_consignment_key ON public.withdrawn_house_consignment USING btree (document_key, document_type, ens_id);

CREATE INDEX withdrawn_house_consignment_registration ON public.withdrawn_house_consignment USING btree (registration);

CREATE INDEX withdrawn_house_consignment_withdrawal ON public.withdrawn_house_consignment USING btree (withdrawal);

CREATE TRIGGER add_document_keys BEFORE INSERT ON public.house_consignment FOR EACH ROW WHEN ((new.document_key IS NULL)) EXECUTE FUNCTION public.add_document_keys();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.awaited_document REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_awaited_document();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.client REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_client();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.code_list_import REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_code_list_import();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.customs_office REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_customs_office();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.declaration REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_entry_summary_declaration();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.document REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_document();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.entered_house_consignment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_entered_house_consignment();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.goods_item_view REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_goods_item_view();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.house_consignment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_house_consignment();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.house_consignment_container REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_house_consignment_container();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.issued_signal REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_issued_signal();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.kept_control REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_kept_control();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.level_presentation REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_level_presentation();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.movement REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_movement();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.movement_reference REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_movement_reference();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.movement_relation REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_movement_relation();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.movement_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_movement_text();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.organisation REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_organisation();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.organisation_number REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_organisation_number();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.organisation_scope REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_organisation_scope();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.presented_reference REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_presented_reference();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.push_subscription REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_push_subscription();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.reference_document REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_reference_document();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.registration REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_registration();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.removed_client REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_removed_client();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.removed_status_ens REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_removed_status_ens();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.routing_decision REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_routing_decision();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.routing_profile REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_routing_profile();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.routing_run REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_routing_run();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.routing_run_result REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_routing_run_result();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.signal_recipient REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_signal_recipient();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.unlo_code_group REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_unlo_code_group();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.validation_status_ens REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_validation_status_ens();

CREATE TRIGGER audit_deleted AFTER DELETE ON public.withdrawn_house_consignment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_deleted_withdrawn_house_consignment();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.awaited_document REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_awaited_document();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.client REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_client();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.code_list_import REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_code_list_import();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.customs_office REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_customs_office();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.declaration REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_entry_summary_declaration();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.document REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_document();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.entered_house_consignment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_entered_house_consignment();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.goods_item_view REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_goods_item_view();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.house_consignment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_house_consignment();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.house_consignment_container REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_house_consignment_container();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.issued_signal REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_issued_signal();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.kept_control REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_kept_control();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.level_presentation REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_level_presentation();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.movement REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_movement();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.movement_reference REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_movement_reference();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.movement_relation REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_movement_relation();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.movement_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_movement_text();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.organisation REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_organisation();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.organisation_number REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_organisation_number();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.organisation_scope REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_organisation_scope();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.presented_reference REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_presented_reference();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.push_subscription REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_push_subscription();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.reference_document REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_reference_document();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.registration REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_registration();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.removed_client REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_removed_client();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.removed_status_ens REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_removed_status_ens();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.routing_decision REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_routing_decision();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.routing_profile REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_routing_profile();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.routing_run REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_routing_run();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.routing_run_result REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_routing_run_result();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.signal_recipient REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_signal_recipient();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.unlo_code_group REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_unlo_code_group();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.validation_status_ens REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_validation_status_ens();

CREATE TRIGGER audit_inserted AFTER INSERT ON public.withdrawn_house_consignment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_inserted_withdrawn_house_consignment();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.awaited_document REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_awaited_document();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.client REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_client();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.code_list_import REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_code_list_import();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.customs_office REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_customs_office();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.declaration REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_entry_summary_declaration();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.document REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_document();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.entered_house_consignment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_entered_house_consignment();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.goods_item_view REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_goods_item_view();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.house_consignment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_house_consignment();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.house_consignment_container REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_house_consignment_container();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.issued_signal REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_issued_signal();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.kept_control REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_kept_control();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.level_presentation REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_level_presentation();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.movement REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_movement();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.movement_reference REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_movement_reference();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.movement_relation REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_movement_relation();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.movement_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_movement_text();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.organisation REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_organisation();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.organisation_number REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_organisation_number();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.organisation_scope REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_organisation_scope();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.presented_reference REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_presented_reference();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.push_subscription REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_push_subscription();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.reference_document REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_reference_document();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.registration REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_registration();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.removed_client REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_removed_client();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.removed_status_ens REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_removed_status_ens();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.routing_decision REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_routing_decision();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.routing_profile REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_routing_profile();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.routing_run REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_routing_run();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.routing_run_result REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_routing_run_result();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.signal_recipient REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_signal_recipient();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.unlo_code_group REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_unlo_code_group();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.validation_status_ens REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_validation_status_ens();

CREATE TRIGGER audit_updated AFTER UPDATE ON public.withdrawn_house_consignment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_updated_withdrawn_house_consignment();

CREATE TRIGGER change_master_key BEFORE UPDATE OF master_document_number ON public.house_consignment FOR EACH ROW WHEN ((new.master_document_number IS DISTINCT FROM old.master_document_number)) EXECUTE FUNCTION public.change_master_key();

CREATE TRIGGER fill_facts BEFORE INSERT ON public.goods_item FOR EACH ROW WHEN ((new.requested_procedure IS NULL)) EXECUTE FUNCTION public.fill_goods_item();

CREATE TRIGGER fill_facts BEFORE INSERT ON public.goods_item_event FOR EACH ROW WHEN ((new.requested_procedure IS NULL)) EXECUTE FUNCTION public.fill_goods_item_event();

CREATE TRIGGER fill_facts BEFORE INSERT ON public.goods_item_expired FOR EACH ROW WHEN (((new.requested_procedure IS NULL) AND (new.declaration IS NOT NULL))) EXECUTE FUNCTION public.fill_goods_item_expired();

CREATE TRIGGER fill_replaced_facts BEFORE UPDATE OF "position" ON public.goods_item FOR EACH ROW WHEN (((new."position" <> old."position") AND (NOT ((new.requested_procedure IS DISTINCT FROM old.requested_procedure) OR (new.accepted_on IS DISTINCT FROM old.accepted_on))))) EXECUTE FUNCTION public.fill_goods_item();

CREATE TRIGGER keep_declaration AFTER DELETE ON public.validation_status FOR EACH ROW WHEN (((old.ens_id IS NOT NULL) AND (NOT old.failed))) EXECUTE FUNCTION public.keep_declaration_of_status();

ALTER TABLE ONLY public.awaited_document
    ADD CONSTRAINT awaited_document_declaration_id_fkey FOREIGN KEY (declaration_id) REFERENCES public.movement(declaration_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.entered_house_consignment
    ADD CONSTRAINT entered_house_consignment_presentation_fkey FOREIGN KEY (presentation) REFERENCES public.presented_reference(number);

ALTER TABLE ONLY public.declaration
    ADD CONSTRAINT entry_summary_declaration_carrier_fkey FOREIGN KEY (carrier) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.declaration
    ADD CONSTRAINT entry_summary_declaration_declarant_fkey FOREIGN KEY (declarant) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.declaration
    ADD CONSTRAINT entry_summary_declaration_representative_fkey FOREIGN KEY (representative) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.feed_timeline_end
    ADD CONSTRAINT feed_timeline_end_timeline_fkey FOREIGN KEY (timeline) REFERENCES public.feed_timeline(number);

ALTER TABLE ONLY public.goods_item_view
    ADD CONSTRAINT goods_item_view_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.house_consignment_container
    ADD CONSTRAINT house_consignment_container_house_consignment_id_fkey FOREIGN KEY (house_consignment_id) REFERENCES public.house_consignment(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.house_consignment
    ADD CONSTRAINT house_consignment_ens_id_fkey FOREIGN KEY (ens_id) REFERENCES public.declaration(id);

ALTER TABLE ONLY public.movement
    ADD CONSTRAINT movement_declaration_id_fkey FOREIGN KEY (declaration_id) REFERENCES public.declaration(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.movement_reference
    ADD CONSTRAINT movement_reference_declaration_id_fkey FOREIGN KEY (declaration_id) REFERENCES public.movement(declaration_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.movement_relation
    ADD CONSTRAINT movement_relation_child_fkey FOREIGN KEY (child) REFERENCES public.movement(declaration_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.movement_relation
    ADD CONSTRAINT movement_relation_parent_fkey FOREIGN KEY (parent) REFERENCES public.movement(declaration_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.movement_text
    ADD CONSTRAINT movement_text_declaration_id_fkey FOREIGN KEY (declaration_id) REFERENCES public.movement(declaration_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.organisation_number
    ADD CONSTRAINT organisation_number_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.organisation_scope
    ADD CONSTRAINT organisation_scope_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.push_attempt
    ADD CONSTRAINT push_attempt_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.push_subscription(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.push_progress
    ADD CONSTRAINT push_progress_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.push_subscription(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.push_secret
    ADD CONSTRAINT push_secret_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.push_subscription(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.registration
    ADD CONSTRAINT registration_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.removed_client
    ADD CONSTRAINT removed_client_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.removed_status_ens
    ADD CONSTRAINT removed_status_ens_ens_id_fkey FOREIGN KEY (ens_id) REFERENCES public.declaration(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.routing_run_result
    ADD CONSTRAINT routing_run_result_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.routing_run(id);

ALTER TABLE ONLY public.withdrawn_house_consignment
    ADD CONSTRAINT withdrawn_house_consignment_ens_id_fkey FOREIGN KEY (ens_id) REFERENCES public.declaration(id);
