-- in batches: goods_item_event
-- locks: rows of goods_item_event and goods_item, of 5,000 events at a time
--
-- The facts of events that were published before there were views, and of the items that they added. A removal has those of
-- the event that it names as related, if that is kept, else those of its own data.
with batch as materialized (
  select position, declaration, number, entry, case when declaration is null then (
      select r.entry from goods_item_event r
      where r.owner = 0 and r.id = (e.entry::json #>> '{metadata,relatedEventId}')::uuid) end as related
  from goods_item_event e
  where owner = 0 and position > coalesce($1, '0')::bigint order by position limit $2
), found as materialized (
  select b.position, b.declaration, b.number, coalesce(related.requested_procedure, own.requested_procedure) as requested_procedure,
    coalesce(related.accepted_on, own.accepted_on) as accepted_on
  from batch b cross join lateral goods_item_facts(b.entry) own cross join lateral goods_item_facts(b.related) related
), events as (
  update goods_item_event e set requested_procedure = f.requested_procedure, accepted_on = f.accepted_on
  from found f where e.owner = 0 and e.position = f.position and e.requested_procedure is null
), items as (
  update goods_item i set requested_procedure = f.requested_procedure, accepted_on = f.accepted_on
  from found f where i.declaration = f.declaration and i.number = f.number and i.position = f.position
)
select max(position)::text as position, count(*) as rows from batch
