-- in batches: house_consignment
-- locks: rows of house_consignment, those of whole declarations, about 5,000 at a time
--
-- Goods of a declaration that differ only in spelling are all kept: their own text finds each of them, and no other does.
with reached as materialized (
  select max(ens_id) as last
  from (select ens_id from house_consignment where ens_id > coalesce($1, '0')::integer order by ens_id limit $2) next
), goods as materialized (
  select id, identifier_key(document_number) as key, identifier_key(master_document_number) as master_key,
    count(*) over (partition by ens_id, document_type, identifier_key(document_number)) as spellings
  from house_consignment
  where ens_id > coalesce($1, '0')::integer and ens_id <= (select last from reached)
), changed as (
  update house_consignment h
  set document_key = key, master_document_key = master_key,
    only_spelling = case when spellings > 1 then document_number end
  from goods where h.id = goods.id
)
select (select last from reached)::text as position, (select count(*) from goods) as rows
