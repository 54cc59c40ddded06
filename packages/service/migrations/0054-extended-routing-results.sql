-- locks: routing_decision, house_consignment, withdrawn_house_consignment, routing_run, routing_run_result, for a moment
--
-- Decisions and signals may have two more results, where an installation switches them on (LANDFALL_ROUTING_RESULTS). What is
-- there keeps the narrower rule, so nothing is read again.
alter table routing_decision drop constraint routing_decision_routing_check,
  add constraint routing_decision_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'UNDECIDED')) not valid;
alter table house_consignment drop constraint house_consignment_routing_check,
  add constraint house_consignment_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED')) not valid;
alter table withdrawn_house_consignment drop constraint withdrawn_house_consignment_routing_check,
  add constraint withdrawn_house_consignment_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED')) not valid;
alter table routing_run drop constraint routing_run_routing_check,
  add constraint routing_run_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'UNDECIDED')) not valid;
alter table routing_run_result drop constraint routing_run_result_routing_check,
  add constraint routing_run_result_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'UNDECIDED')) not valid;

-- Goods that are denied stay denied as goods under control stay under control (0049).
create or replace function kept_as(house uuid, routing text, location text) returns text language sql stable as $$
  select case when $2 in ('TO_CONTROL', 'ENTRY_DENIED') then (
    select case d.origin when 'OFFICER' then trim('OFFICER ' || place) when 'ENGINE' then place end
    from routing_decision d cross join (select case $2 when 'ENTRY_DENIED' then 'DENIED' else coalesce($3, '') end) p (place)
    where d.house_consignment_id = $1 and d.takes_effect order by d.number desc limit 1
  ) end
$$;

create or replace function controlled_since(house uuid) returns timestamptz language sql stable as $$
  select case when d.routing in ('TO_CONTROL', 'ENTRY_DENIED') and d.origin in ('OFFICER', 'ENGINE')
    then coalesce(d.first_decided_at, d.decided_at) end
  from routing_decision d
  where d.house_consignment_id = $1 and d.takes_effect order by d.number desc limit 1
$$;

-- As before, but what is closed is gone too. The goods whose control was kept and holds for a house consignment too: those of the
-- same document that are withdrawn or closed, or had
-- one of its relations before they were replaced. For a year, because numbers are used again.
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
      cross join lateral relations_to_keep(o.ens_id, o.master_document_key, o.master_document_type, o.receptacle_id) has
      where has.relation = r.relation and not is_closed(o.ens_id) limit 1
    ) is null;
end
$$;
