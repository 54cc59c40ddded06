-- The SQL of packages/playground/src/. Generated: change the sources, then npm run generate.

-- consume-grants
-- packages/playground/src/identity-provider/queries.ts
with used as (
  select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[])
    as u (client_id, jti, used_at, ends_at)
)
insert into used_grant (client_id, jti, ends_at)
select client_id, jti, ends_at from used order by client_id, jti
on conflict (client_id, jti) do update set ends_at = excluded.ends_at
  where used_grant.ends_at < (
    select used_at from used u where u.client_id = excluded.client_id and u.jti = excluded.jti)
returning client_id as "clientId", jti;

-- delete-expired-grants
-- packages/playground/src/identity-provider/queries.ts
delete from used_grant where ctid = any (array(
  select ctid from used_grant where ends_at < $1 for update skip locked));

-- delete-hosted-space
-- packages/playground/src/hosting/queries.ts
delete from playground."hosted space" where name = $1;

-- find-client
-- packages/playground/src/identity-provider/queries.ts
select c.client_id as "clientId", o.identifier as organisation, o.kind,
  o.blocked or c.blocked as blocked, c.scopes, c.certificates, c.keys,
  array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
from client c
join organisation o on o.id = c.organisation_id
where c.client_id = $1;

-- find-current-keys
-- packages/playground/src/dataset/queries.ts
select m.key, d.mrn, o.identifier as submitter, m.request_id as "requestId"
from movement m join declaration d on d.id = m.declaration_id join organisation o on o.id = m.submitter
where m.key = any ($1::text[]) and m.state is null;

-- find-grant-use
-- packages/playground/src/identity-provider/queries.ts
select client_id from used_grant where client_id = $1 and jti = $2 and ends_at >= $3;

-- find-groups-CONTAINER-all
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct c.container_id as reference, ''::text as type
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container c on c.house_consignment_id = h.id
  where (c.container_id, ''::text) > ($1, $2) and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container c on c.house_consignment_id = h.id
  where c.container_id = page.reference and ''::text = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container c on c.house_consignment_id = h.id join house_consignment_container x on x.house_consignment_id = h.id
  where c.container_id = page.reference and ''::text = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-CONTAINER-mrn
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct c.container_id as reference, ''::text as type
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container c on c.house_consignment_id = h.id
  where (c.container_id, ''::text) > ($1, $2) and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container c on c.house_consignment_id = h.id
  where c.container_id = page.reference and ''::text = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container c on c.house_consignment_id = h.id join house_consignment_container x on x.house_consignment_id = h.id
  where c.container_id = page.reference and ''::text = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-ENTRY_SUMMARY_DECLARATION-all
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct e.mrn as reference, ''::text as type
  from house_consignment h join declaration e on e.id = h.ens_id
  where (e.mrn, ''::text) > ($1, $2) and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id
  where e.mrn = page.reference and ''::text = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container x on x.house_consignment_id = h.id
  where e.mrn = page.reference and ''::text = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-ENTRY_SUMMARY_DECLARATION-mrn
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct e.mrn as reference, ''::text as type
  from house_consignment h join declaration e on e.id = h.ens_id
  where (e.mrn, ''::text) > ($1, $2) and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id
  where e.mrn = page.reference and ''::text = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container x on x.house_consignment_id = h.id
  where e.mrn = page.reference and ''::text = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-MASTER_CONSIGNMENT-all
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct h.master_document_number as reference, h.master_document_type as type
  from house_consignment h join declaration e on e.id = h.ens_id
  where (h.master_document_number, h.master_document_type) > ($1, $2) and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.master_document_number = page.reference and h.master_document_type = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container x on x.house_consignment_id = h.id
  where h.master_document_number = page.reference and h.master_document_type = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-MASTER_CONSIGNMENT-mrn
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct h.master_document_number as reference, h.master_document_type as type
  from house_consignment h join declaration e on e.id = h.ens_id
  where (h.master_document_number, h.master_document_type) > ($1, $2) and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.master_document_number = page.reference and h.master_document_type = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container x on x.house_consignment_id = h.id
  where h.master_document_number = page.reference and h.master_document_type = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-RECEPTACLE-all
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct h.receptacle_id as reference, ''::text as type
  from house_consignment h join declaration e on e.id = h.ens_id
  where (h.receptacle_id, ''::text) > ($1, $2) and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.receptacle_id = page.reference and ''::text = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container x on x.house_consignment_id = h.id
  where h.receptacle_id = page.reference and ''::text = page.type and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-groups-RECEPTACLE-mrn
-- packages/playground/src/dataset/group-queries.ts
with page as materialized (
  select distinct h.receptacle_id as reference, ''::text as type
  from house_consignment h join declaration e on e.id = h.ens_id
  where (h.receptacle_id, ''::text) > ($1, $2) and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
  order by 1, 2 limit $3
)
select page.reference, page.type, counted.*, under.containers
from page
cross join lateral (
  select count(*)::integer as "houseConsignments",
    (count(*) filter (where (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null))::integer as presented,
    count(h.routing)::integer as decided,
    count(distinct (h.master_document_number, h.master_document_type))
      filter (where h.master_document_number is not null)::integer as "masterConsignments",
    count(distinct h.receptacle_id)::integer as receptacles,
    min(e.customs_office_of_first_entry) as office,
    (select identifier from organisation o where o.id = min(e.declarant)) as declarant
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.receptacle_id = page.reference and ''::text = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) counted
cross join lateral (
  select count(distinct x.container_id)::integer as containers
  from house_consignment h join declaration e on e.id = h.ens_id join house_consignment_container x on x.house_consignment_id = h.id
  where h.receptacle_id = page.reference and ''::text = page.type and e.mrn = $9
  and ($4::boolean is null or (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null = $4)
  and ($5::boolean is null or (h.routing is not null) = $5)
  and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
  and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
  and ('CONTAINER' <> all ($6) or (
    select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)
  and ($7::text is null
    or may_present((select id from organisation where identifier = $7),
      e.declarant, e.representative, e.carrier, e.presenters)
    or ($8::boolean and e.carrier is null and e.presenters is null))
) under
order by 1, 2;

-- find-lodged-requests
-- packages/playground/src/dataset/queries.ts
select coalesce((
  select not s.failed from movement_status s
  where s.owner = (select id from organisation where identifier = r.organisation) and s.id = r.id
), false) as lodged
from unnest($1::text[], $2::uuid[]) with ordinality as r (organisation, id, ordinal)
order by ordinal;

-- find-organisation-number
-- packages/playground/src/decisions/queries.ts
select id from organisation where identifier = $1;

-- find-references
-- packages/playground/src/dataset/queries.ts
select houses > 0 as found, (
  select true from signal_recipient s where s.house_consignment_id = house limit 1) is not null as presented
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as r (mrn, number, type, ordinal)
cross join lateral find_house_consignment(mrn, number, type) f
order by ordinal;

-- find-saved-data
-- packages/playground/src/data-queries.ts
select to_regclass('playground."saved sequence"') is not null as saved;

-- find-schema
-- packages/playground/src/spaces/queries.ts
select exists (select from pg_namespace where nspname = $1);

-- find-space-schemas
-- packages/playground/src/spaces/queries.ts
select name as schema from playground."space schema";

-- insert-hosted-space
-- packages/playground/src/hosting/queries.ts
insert into playground."hosted space" (name, organisation, code, address, created_at, used_at)
values ($1, $2, $3, $4, $5, $6);

-- keep
-- packages/playground/src/data-queries.ts
insert into playground.kept (name, value) values ($1, $2)
on conflict (name) do update set value = excluded.value;

-- keep-use-of-hosted-spaces
-- packages/playground/src/hosting/queries.ts
update playground."hosted space" s set used_at = u.used_at
from unnest($1::text[], $2::timestamptz[]) as u (name, used_at) where s.name = u.name;

-- list-hosted-spaces
-- packages/playground/src/hosting/queries.ts
select name, organisation, code, address, created_at as "createdAt", used_at as "usedAt"
from playground."hosted space" order by created_at, name;

-- measure-schemas
-- packages/playground/src/hosting/queries.ts
select n.nspname as schema, sum(pg_total_relation_size(c.oid))::double precision as bytes
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any ($1) and c.relkind = 'r'
group by n.nspname;

-- select-copy-size
-- packages/playground/src/undo-queries.ts
select coalesce(sum(pg_relation_size(c.oid)), 0)::double precision as bytes from pg_class c
join playground."saved table" s on s.name = c.relname
where c.relnamespace = 'playground'::regnamespace;

-- select-decided-container
-- packages/playground/src/decisions/queries.ts
select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
from house_consignment h join declaration e on e.id = h.ens_id
where h.id in (select house_consignment_id from house_consignment_container where container_id = $2) and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-decided-entry-summary-declaration
-- packages/playground/src/decisions/queries.ts
select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
from house_consignment h join declaration e on e.id = h.ens_id
where e.mrn = $2 and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-decided-house-consignment
-- packages/playground/src/decisions/queries.ts
select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
from house_consignment h join declaration e on e.id = h.ens_id
where h.document_key = identifier_key($2) and h.document_type = $3 and ($4::text is null or e.mrn = $4) and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-decided-master-consignment
-- packages/playground/src/decisions/queries.ts
select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
from house_consignment h join declaration e on e.id = h.ens_id
where h.master_document_key = identifier_key($2) and h.master_document_type = $3 and ($4::text is null or e.mrn = $4) and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-decided-receptacle
-- packages/playground/src/decisions/queries.ts
select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
from house_consignment h join declaration e on e.id = h.ens_id
where h.receptacle_id = $2 and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-expected-transport
-- packages/playground/src/movements/queries.ts
select d.mrn, m.estimated_at as "estimatedAt",
  t.body::json #>> '{customsOfficeOfFirstEntry,referenceNumber}' as office
from movement_status s
join declaration d on d.mrn = s.entry::json ->> 'mrn'
join movement m on m.declaration_id = d.id and m.request_id = s.id and m.level = 'TRANSPORT'
  and m.state is null and m.arrived_at is null
join movement_text t on t.declaration_id = d.id
where s.owner = $1 and s.id = $2;

-- select-kept
-- packages/playground/src/data-queries.ts
select value from playground.kept where name = $1;

-- select-presented-container
-- packages/playground/src/decisions/queries.ts
select e.mrn, h.document_number as number, h.document_type as type, (
    select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
      and (h.routing is not null or d.routing = 'UNDECIDED')
    order by d.number desc limit 1
  ) as expected
from house_consignment h join declaration e on e.id = h.ens_id
where h.id in (select house_consignment_id from house_consignment_container where container_id = $2) and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-presented-entry-summary-declaration
-- packages/playground/src/decisions/queries.ts
select e.mrn, h.document_number as number, h.document_type as type, (
    select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
      and (h.routing is not null or d.routing = 'UNDECIDED')
    order by d.number desc limit 1
  ) as expected
from house_consignment h join declaration e on e.id = h.ens_id
where e.mrn = $2 and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-presented-house-consignment
-- packages/playground/src/decisions/queries.ts
select e.mrn, h.document_number as number, h.document_type as type, (
    select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
      and (h.routing is not null or d.routing = 'UNDECIDED')
    order by d.number desc limit 1
  ) as expected
from house_consignment h join declaration e on e.id = h.ens_id
where h.document_key = identifier_key($2) and h.document_type = $3 and ($4::text is null or e.mrn = $4) and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-presented-master-consignment
-- packages/playground/src/decisions/queries.ts
select e.mrn, h.document_number as number, h.document_type as type, (
    select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
      and (h.routing is not null or d.routing = 'UNDECIDED')
    order by d.number desc limit 1
  ) as expected
from house_consignment h join declaration e on e.id = h.ens_id
where h.master_document_key = identifier_key($2) and h.master_document_type = $3 and ($4::text is null or e.mrn = $4) and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-presented-receptacle
-- packages/playground/src/decisions/queries.ts
select e.mrn, h.document_number as number, h.document_type as type, (
    select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
      and (h.routing is not null or d.routing = 'UNDECIDED')
    order by d.number desc limit 1
  ) as expected
from house_consignment h join declaration e on e.id = h.ens_id
where h.receptacle_id = $2 and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
limit $1;

-- select-recorded-streams
-- packages/playground/src/data-queries.ts
select distinct stream from public.relay_position order by stream;

-- select-refused-messages
-- packages/playground/src/dataset/queries.ts
select ordinal::integer - 1 as index, s.entry
from unnest($1::integer[], $2::uuid[]) with ordinality as r (owner, id, ordinal)
join movement_status s on s.owner = r.owner and s.id = r.id and s.failed
order by ordinal;

-- select-sequences
-- packages/playground/src/undo-queries.ts
select coalesce(jsonb_object_agg(sequencename, jsonb_build_array(
  coalesce(last_value, start_value), last_value is not null)), '{}')::text as sequences
from pg_sequences where schemaname = $1 and sequencename <> 'undo_position';

-- select-still-expected-transport
-- packages/playground/src/movements/queries.ts
select d.id from declaration d
join movement m on m.declaration_id = d.id and m.state is null and m.arrived_at is null
where d.mrn = $1;

-- select-undo-position
-- packages/playground/src/undo-queries.ts
select case when is_called then last_value else 0 end::double precision as position
from playground.undo_position;

-- set-sequences
-- packages/playground/src/undo-queries.ts
select setval(format('public.%I', key)::regclass, (value->>0)::bigint, (value->>1)::boolean)
from jsonb_each($1::jsonb);

-- set-undo-position
-- packages/playground/src/undo-queries.ts
select setval('playground.undo_position', greatest($1::bigint, 1), $1::bigint > 0);

-- settle-decisions
-- packages/playground/src/decisions/queries.ts
with given as materialized (
  select h.id, given.routing, given.location, (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null as presented, (
    select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
      and (h.routing is not null or d.routing = 'UNDECIDED')
    order by d.number desc limit 1
  ) as expected
  from unnest($1::uuid[], $2::text[], $3::text[]) given (id, routing, location)
  join house_consignment h on h.id = given.id
),
restored as (
  update house_consignment h set routing = given.routing, routing_control_location = given.location
  from given where h.id = given.id and h.routing is null and not presented
  returning h.id, h.routing, h.routing_control_location as location
),
decided as (
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
  request_id, origin)
select id, (
    select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
  ), $4::timestamptz, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
  -- Everybody may replace it.
  'REGISTRATION'
from restored
)
select id, expected from given where presented;

-- take-decisions-back-container
-- packages/playground/src/decisions/queries.ts
with taken as materialized (
  select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.id in (select house_consignment_id from house_consignment_container where container_id = $2) and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
  limit $1 for update of h
),
changed as (
  update house_consignment h set routing = null, routing_control_location = null from taken where h.id = taken.id
),
decided as (
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
  request_id, origin)
select id, (
    select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
  ), $3::timestamptz, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
  -- Everybody may replace it.
  'REGISTRATION'
from (select id, null::text as routing, null::text as location from taken) undecided
)
select * from taken;

-- take-decisions-back-entry-summary-declaration
-- packages/playground/src/decisions/queries.ts
with taken as materialized (
  select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
  from house_consignment h join declaration e on e.id = h.ens_id
  where e.mrn = $2 and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
  limit $1 for update of h
),
changed as (
  update house_consignment h set routing = null, routing_control_location = null from taken where h.id = taken.id
),
decided as (
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
  request_id, origin)
select id, (
    select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
  ), $3::timestamptz, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
  -- Everybody may replace it.
  'REGISTRATION'
from (select id, null::text as routing, null::text as location from taken) undecided
)
select * from taken;

-- take-decisions-back-house-consignment
-- packages/playground/src/decisions/queries.ts
with taken as materialized (
  select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.document_key = identifier_key($2) and h.document_type = $3 and ($4::text is null or e.mrn = $4) and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
  limit $1 for update of h
),
changed as (
  update house_consignment h set routing = null, routing_control_location = null from taken where h.id = taken.id
),
decided as (
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
  request_id, origin)
select id, (
    select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
  ), $5::timestamptz, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
  -- Everybody may replace it.
  'REGISTRATION'
from (select id, null::text as routing, null::text as location from taken) undecided
)
select * from taken;

-- take-decisions-back-master-consignment
-- packages/playground/src/decisions/queries.ts
with taken as materialized (
  select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.master_document_key = identifier_key($2) and h.master_document_type = $3 and ($4::text is null or e.mrn = $4) and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
  limit $1 for update of h
),
changed as (
  update house_consignment h set routing = null, routing_control_location = null from taken where h.id = taken.id
),
decided as (
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
  request_id, origin)
select id, (
    select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
  ), $5::timestamptz, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
  -- Everybody may replace it.
  'REGISTRATION'
from (select id, null::text as routing, null::text as location from taken) undecided
)
select * from taken;

-- take-decisions-back-receptacle
-- packages/playground/src/decisions/queries.ts
with taken as materialized (
  select h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
    h.routing_control_location as location
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.receptacle_id = $2 and h.routing is not null and not (select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null
  limit $1 for update of h
),
changed as (
  update house_consignment h set routing = null, routing_control_location = null from taken where h.id = taken.id
),
decided as (
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
  request_id, origin)
select id, (
    select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
  ), $3::timestamptz, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
  -- Everybody may replace it.
  'REGISTRATION'
from (select id, null::text as routing, null::text as location from taken) undecided
)
select * from taken;

-- undo-to
-- packages/playground/src/undo-queries.ts
select playground.undo_to($1);
