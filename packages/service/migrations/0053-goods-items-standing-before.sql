-- in batches: goods_item
-- locks: rows of goods_item and goods_item_expired, of 5,000 items at a time
--
-- The facts of current items whose events have expired before there were views, and of these events.
with batch as materialized (
  select declaration, number, case when requested_procedure is null then entry end as entry from goods_item
  where (declaration, number) > (coalesce(split_part($1, '/', 1), ''), coalesce(split_part($1, '/', 2), '0')::bigint)
  order by declaration, number limit $2
), found as materialized (
  select b.declaration, b.number, (b.entry::json #>> '{metadata,eventId}')::uuid as id, f.*
  from batch b cross join lateral goods_item_facts(b.entry) f
  where b.entry is not null
), items as (
  update goods_item i set requested_procedure = f.requested_procedure, accepted_on = f.accepted_on
  from found f where i.declaration = f.declaration and i.number = f.number
), expired as (
  update goods_item_expired e set requested_procedure = f.requested_procedure, accepted_on = f.accepted_on
  from found f where e.owner = 0 and e.id = f.id
)
select (select declaration || '/' || number from batch order by declaration desc, number desc limit 1) as position,
  count(*) as rows from batch
