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
