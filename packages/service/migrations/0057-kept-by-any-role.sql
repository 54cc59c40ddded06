-- locks: nothing
--
-- As before, but goods that are current have a party still if it has another role: declarant, and not representative, or the
-- other way round. Others that it declares are another consignment, as if nothing had changed. Where only expected parties may
-- present, the declarant counts alone, as before.
create or replace function controls_kept_for(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
begin
  return query
  select distinct k.house_consignment_id
  from (select * from house_consignment where id = house offset 0) h
  cross join lateral relations_to_find(
    h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id, expected_only) r
  cross join lateral (
    select * from kept_control k
    where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = r.relation
    offset 0
  ) k
  where k.house_consignment_id <> house and k.kept_at > now() - interval '1 year'
    -- What is current and has the relation still is another consignment, or lodged beside.
    and (
      select true
      from (select * from house_consignment where id = k.house_consignment_id offset 0) o
      cross join lateral relations_to_find(
        o.ens_id, o.master_document_key, o.master_document_type, o.receptacle_id, expected_only) has
      where has.relation = r.relation and not is_closed(o.ens_id) limit 1
    ) is null;
end
$$;
