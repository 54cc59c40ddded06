-- locks: entry_summary_declaration, for a moment
--
-- Movement messages: what carriers, forwarders and post offices lodge themselves. A message is a row of `declaration`, whose
-- kind says its level; a house consignment that is lodged is one row of `house_consignment` under it. Servers of the previous
-- release read entry summary declarations only.

-- An entry summary declaration has an office. Where a transport arrives is known when it does.
alter table declaration alter customs_office_of_first_entry drop not null;

-- What a message is beside a declaration.
create table movement (
  -- Drawn before the declaration is inserted, because whoever gets the key writes the rest.
  declaration_id integer primary key references declaration on delete cascade deferrable initially deferred,
  level text not null collate "C" check (level in ('TRANSPORT', 'MASTER_CONSIGNMENT', 'HOUSE_CONSIGNMENT')),
  mode text not null collate "C" check (mode in ('road', 'air', 'rail', 'maritime')),
  -- As in the declaration, for the indexes: who has lodged it, and the representative that it names. Both may read it.
  submitter integer not null,
  representative integer,
  -- What no two current messages have in common.
  key text not null collate "C",
  -- Null while it is current.
  state text collate "C" check (state in ('CANCELLED', 'EXPIRED', 'CLOSED')),
  -- The request that was accepted last.
  request_id uuid not null,
  lodged_at timestamptz not null,
  replaced_at timestamptz,
  ended_at timestamptz,
  -- The members by which it is found.
  document_number text collate "C",
  document_type text collate "C",
  carrier text collate "C",
  means text collate "C",
  -- Members of its key and its document, as they are listed: JSON text.
  listed text not null,
  -- Why a house consignment is incomplete, in the order of the reasons; empty if it is complete.
  reasons text[] not null,
  -- When a reference document that came late has completed it.
  completed_at timestamptz,
  -- When its text was removed.
  text_removed_at timestamptz,
  -- Of a transport: the instants of its message, and its flight, train or voyage.
  estimated_at timestamptz,
  scheduled_at timestamptz,
  conveyance text collate "C",
  -- Of a transport: the office of first entry that it names.
  office text collate "C",
  -- Of a consignment: its gross mass in kilograms.
  weight numeric(16, 6),
  -- Of a house consignment: the key of its document. By it is found that nobody has lodged goods: nearly always one look into
  -- an index that has nothing.
  house_key text collate "C",
  -- Of a transport that has arrived: when and where, as it was reported, in which request, and when that was recorded.
  arrived_at timestamptz,
  arrival_office text collate "C",
  arrival_request_id uuid,
  arrival_recorded_at timestamptz,
  -- What routing signals of the goods that arrived with it say of it: members of a JSON object, each after a comma.
  arrival_signal text collate "C"
);
create unique index movement_key on movement (key) where state is null;
create index movement_submitter on movement (submitter, declaration_id);
create index movement_representative on movement (representative, declaration_id) where representative is not null;
create index movement_document on movement (document_number, declaration_id) where document_number is not null;
-- By which goods are found that a replacement or a reference document has completed.
create index movement_completed on movement (greatest(replaced_at, completed_at), declaration_id)
  where replaced_at is not null or completed_at is not null;
create index movement_means on movement (means, declaration_id) where means is not null;
create index movement_conveyance on movement (conveyance) where conveyance is not null;
create index movement_house_key on movement (house_key, document_type) where house_key is not null;
-- Those that have arrived lately are found by it, also that there are none.
create index movement_arrival_recorded_at on movement (arrival_recorded_at, declaration_id)
  where arrival_recorded_at is not null;
-- By which messages are found that are to end.
create index movement_expected on movement (estimated_at, declaration_id)
  where state is null and level = 'TRANSPORT' and arrived_at is null;
-- By which the authority lists transports, each in the order of the list.
create index movement_estimated on movement (estimated_at, declaration_id) where level = 'TRANSPORT';
create index movement_office on movement (coalesce(arrival_office, office), estimated_at, declaration_id)
  where level = 'TRANSPORT';
create index movement_means_estimated on movement (means, estimated_at, declaration_id) where level = 'TRANSPORT';
create index movement_current on movement (level, lodged_at, declaration_id) where state is null;
-- By which texts and messages are found that are to be removed.
create index movement_ended on movement (ended_at, declaration_id) where state is not null and text_removed_at is null;
create index movement_closed on movement (ended_at, declaration_id) where state = 'CLOSED' and level <> 'HOUSE_CONSIGNMENT';

-- The messages as they were last accepted. They have names and addresses of people, so they are nowhere else.
create table movement_text (
  declaration_id integer primary key references movement on delete cascade deferrable initially deferred,
  body text not null
);

-- The feed of the statuses of requests: one for each organisation.
create table movement_status (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  failed boolean not null,
  entry text not null,
  primary key (owner, position)
);
create unique index movement_status_id on movement_status (owner, id);

create function new_movement_status(owner integer, id uuid, failed boolean, entry text) returns new_entry
language sql immutable as $$
  select row(7, owner, id, entry, null, failed, null, null, null, null, null)::new_entry
$$;

-- As before, with statuses of movement messages.
create or replace function append_to_feeds(entries new_entry[], lock_namespace integer, record text, out positions bigint[], out appended text) returns record language plpgsql as $$
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
    insert into goods_item_event (owner, position, id, declaration, number, topic, published_at, entry)
    select owner, position, new_id, declaration, number, topic, published_at, entry from entry where kind = 6
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

-- Whether a house consignment that was lodged is under the master consignment with this MRN: by one carrier, and one mode. That
-- they have one document is known.
create function is_under_master(house integer, mrn text) returns boolean language sql stable as $$
  select exists (
    select from declaration e
    join movement master on master.declaration_id = e.id and master.level = 'MASTER_CONSIGNMENT'
    join movement h on h.declaration_id = house and h.mode = master.mode and h.carrier = master.carrier
    where e.mrn = is_under_master.mrn)
$$;

-- As before; a master document may have the MRN of the master consignment that was lodged with it.
create or replace function reach_level(level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean) returns table(house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
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
    ),
    reached as (
      select e.id, e.mrn, e.declarant, e.representative, rank() over (order by e.kind is not null) as preference
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

select audit_table('movement', '{declaration_id}', '{}');
select audit_table('movement_text', '{declaration_id}', '{}');
