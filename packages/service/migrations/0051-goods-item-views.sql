-- locks: goods_item_event, goods_item and goods_item_expired, for a moment
--
-- Views of the goods-item stream: what an organisation sees, and the facts of messages by which that is decided, beside the
-- direction and the chapter in `topic`. A removal has those of the item that it removes.
alter table goods_item_event
  -- The requested procedure. Null for a removal of an unknown item, like `accepted_on`.
  add requested_procedure text collate "C",
  -- The day on which the declaration was accepted, as the message has it: such days sort by their characters.
  add accepted_on text collate "C";
alter table goods_item add requested_procedure text collate "C", add accepted_on text collate "C";
alter table goods_item_expired add requested_procedure text collate "C", add accepted_on text collate "C";

-- What each organisation sees; one without a row sees everything.
create table goods_item_view (
  organisation_id integer primary key references organisation on delete cascade,
  -- Counts the changes; a removed view keeps its row, so that no version means two views.
  version integer not null,
  -- Null once the view is removed.
  conditions jsonb,
  changed_at timestamptz not null,
  changed_by text not null,
  changed_by_client text not null
);
select audit_table('goods_item_view', '{organisation_id}', '{}');

-- The facts that a message names; of a removal those of its own data. As `json`, which does not read numbers.
create function goods_item_facts(entry text, out requested_procedure text, out accepted_on text) language sql immutable as $$
  select entry::json #>> '{data,GoodsItem,Procedure,RequestedProcedure}',
    entry::json #>> '{data,GoodsItem,Declaration,DateOfAcceptance}'
$$;

-- Servers of the previous release do not store the facts: these three functions find them. Events of this release have them
-- already, except removals of unknown items, of which nothing is found.
create function fill_goods_item_event() returns trigger language plpgsql as $$
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
create trigger fill_facts before insert on goods_item_event for each row when (new.requested_procedure is null)
  execute function fill_goods_item_event();

create function fill_goods_item() returns trigger language plpgsql as $$
begin
  select e.requested_procedure, e.accepted_on into new.requested_procedure, new.accepted_on
  from goods_item_event e where e.owner = 0 and e.position = new.position;
  return new;
end
$$;
create trigger fill_facts before insert on goods_item for each row when (new.requested_procedure is null)
  execute function fill_goods_item();
-- A server of the previous release leaves those of the item that is replaced.
create trigger fill_replaced_facts before update of position on goods_item for each row
  when (new.position <> old.position
    and (new.requested_procedure, new.accepted_on) is not distinct from (old.requested_procedure, old.accepted_on))
  execute function fill_goods_item();

create function fill_goods_item_expired() returns trigger language plpgsql as $$
begin
  select i.requested_procedure, i.accepted_on into new.requested_procedure, new.accepted_on
  from goods_item i
  where i.declaration = new.declaration and i.number = new.number and i.position = new.position;
  return new;
end
$$;
create trigger fill_facts before insert on goods_item_expired for each row
  when (new.requested_procedure is null and new.declaration is not null)
  execute function fill_goods_item_expired();

-- As before, with the facts of goods-item events: `topic` is `<direction>.<chapter> <procedure> <day of acceptance>`, or as
-- before, by a server of the previous release, without the last two.
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
