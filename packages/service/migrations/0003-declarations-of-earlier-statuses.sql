-- in batches: signal_recipient
-- locks: nothing; reads all of signal_recipient once
--
-- The declarations of statuses that were removed before 0002, of the organisations of which some were (kind 1).
with batch as (
  select distinct house_consignment_id as house from signal_recipient
  where $1::text is null or house_consignment_id > $1::uuid
  order by house_consignment_id limit $2::integer
),
kept as (
  insert into removed_status_ens (ens_id, owner)
  select e.id, c.organisation_id
  from batch
  join signal_recipient c on c.house_consignment_id = batch.house
  join house_consignment h on h.id = batch.house
  join entry_summary_declaration e on e.id = h.ens_id
  where exists (select from feed_start f where f.kind = 1 and f.owner = c.organisation_id)
  for key share of e
  on conflict do nothing
)
select (select house::text from batch order by house desc limit 1) as position, count(*)::integer as rows from batch
