-- in batches: house_consignment
-- locks: rows of house_consignment whose keys change, those of about 5,000 goods at a time
--
-- Goods whose key was another one by the rule of before. As in 0016, goods of a declaration that now differ only in spelling
-- are all kept: their own text finds each of them, and no other does.
with reached as materialized (
  select max(ens_id) as last
  from (select ens_id from house_consignment where ens_id > coalesce($1, '0')::integer order by ens_id limit $2) next
), goods as materialized (
  select id, ens_id, document_type, identifier_key(document_number) as key,
    identifier_key(master_document_number) as master_key,
    (document_key, master_document_key)
      is distinct from (identifier_key(document_number), identifier_key(master_document_number)) as is_other
  from house_consignment
  where ens_id > coalesce($1, '0')::integer and ens_id <= (select last from reached)
), spelled as materialized (
  select key, ens_id, document_type, count(*) > 1 as is_shared from goods
  where (key, ens_id, document_type) in (select key, ens_id, document_type from goods where is_other)
  group by key, ens_id, document_type
), changed as (
  update house_consignment h
  set document_key = goods.key, master_document_key = goods.master_key,
    only_spelling = case when is_shared then document_number else only_spelling end
  from goods join spelled using (key, ens_id, document_type)
  where h.id = goods.id
)
select (select last from reached)::text as position, (select count(*) from goods) as rows
