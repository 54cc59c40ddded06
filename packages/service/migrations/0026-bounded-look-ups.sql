-- locks: nothing
--
-- As before, with less work for each entry: the state of a feed is read between two bounds, so that the states of other feeds
-- on the same page of the index are not compared, and texts are copied once.
create or replace function append_to_feeds(
  entries new_entry[], lock_namespace integer, record text, out positions bigint[], out appended text
) language plpgsql as $$
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
