-- in batches: house_consignment_container
-- locks: rows of house_consignment_container, those of 5,000 house consignments at a time
--
-- The declaration in rows that were inserted before 0037.
with batch as (
  select distinct house_consignment_id as house from house_consignment_container
  where $1::text is null or house_consignment_id > $1::uuid
  order by house_consignment_id limit $2::integer
),
changed as (
  update house_consignment_container c set ens_id = h.ens_id
  from batch join house_consignment h on h.id = batch.house
  where c.house_consignment_id = batch.house and c.ens_id is null
)
select (select house::text from batch order by house desc limit 1) as position, count(*)::integer as rows from batch
