-- in batches: house_consignment
-- locks: rows of routing_decision, of 5,000 house consignments at a time
--
-- Decisions that came with a registration were columns only. They are before all others of their goods, so their number is
-- 0, unless a registration has replaced a decision: then they are the last. Those of a profile had no origin.
with batch as (
  select * from house_consignment where id > coalesce($1, '00000000-0000-0000-0000-000000000000')::uuid order by id limit $2
), of_profiles as (
  update routing_decision d set origin = 'PROFILE' from batch
  where d.house_consignment_id = batch.id and d.profile is not null
), registered as (
  insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location,
    organisation_id, client_id, request_id, origin)
  select h.id,
    case when last.number is not null
        and (last.routing, last.routing_control_location) is distinct from (h.routing, h.routing_control_location)
        and (h.routing, h.routing_control_location)
          is not distinct from (h.registered_routing, h.registered_control_location)
      then last.number + 1 else 0 end,
    r.at, h.registered_routing, h.registered_control_location, r.organisation_id, r.client_id, r.request_id::text,
    'REGISTRATION'
  from batch h
  join registration r on r.id = h.registration
  left join lateral (
    select d.number, d.routing, d.routing_control_location from routing_decision d
    where d.house_consignment_id = h.id order by d.number desc limit 1
  ) last on true
  where h.registered_routing is not null
)
select max(id::text) as position, count(*) as rows from batch
