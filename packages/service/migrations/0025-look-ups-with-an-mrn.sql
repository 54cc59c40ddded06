-- locks: nothing
--
-- As before. Goods of a declaration are found in the order of the index on keys: without statistics, the planner might read
-- the whole declaration for each.
create or replace function find_house_consignment(mrn text, document_number text, document_type text)
returns table (houses integer, house uuid) language sql stable as $$
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
        and (h.only_spelling is null or h.only_spelling = $2) limit 2)
  ) found
$$;
