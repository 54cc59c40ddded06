-- The SQL of packages/service/src/access/. Generated: change the sources, then npm run generate.

-- add-organisation
-- packages/service/src/access/organisation-queries.ts
insert into organisation (identifier) values ($1)
on conflict (identifier) do nothing
returning id;

-- add-organisation-numbers
-- packages/service/src/access/organisation-queries.ts
insert into organisation_number (number, organisation_id)
select number, $1 from unnest($2::text[]) number order by number collate "C"
on conflict (number) do nothing;

-- add-scopes
-- packages/service/src/access/organisation-queries.ts
insert into organisation_scope (organisation_id, scope)
select $1, scope from unnest($2::text[]) scope
on conflict do nothing
returning scope;

-- ensure-organisation
-- packages/service/src/access/organisation-queries.ts
insert into organisation as o (identifier, name, kind) values ($1, $2, $3)
on conflict (identifier) do update
  set kind = excluded.kind, name = case o.name when '' then excluded.name else o.name end
returning id;

-- find-numbered-organisations
-- packages/service/src/access/numbered-party-queries.ts
select case when o.id is not null then jsonb_build_object('id', o.id, 'identifier', o.identifier) end
  as organisation
from unnest($1::text[], $2::text[]) with ordinality as given (identifier, number, position)
left join organisation_number n on n.number = given.number
left join lateral (
  select id, identifier from organisation where id = n.organisation_id
  union all
  select id, identifier from organisation where identifier = given.identifier
) o on true
order by position;

-- find-organisations
-- packages/service/src/access/queries.ts
select o.id, o.kind,
  o.blocked
    or exists (
      select from organisation p where p.identifier = any (key.others) and p.blocked)
    or exists (
      select from client c join organisation p on p.id = c.organisation_id
      where lower(c.client_id) = key.client_id and (c.blocked or p.blocked)
        and (p.id = o.id or key.client_id not like 'eidas-%'))
    or exists (
      select from removed_client r join organisation p on p.id = r.organisation_id
      where lower(r.client_id) = key.client_id
        and (p.id = o.id or p.identifier = any (key.others))) as blocked,
  array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
from (
  select identifier, lower(client_id collate "C") as client_id,
    string_to_array(others, ' ') as others, index
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality
    given (identifier, client_id, others, index)) key
left join organisation o on o.identifier = key.identifier
order by key.index;

-- keep-clients
-- packages/service/src/access/organisation-queries.ts
delete from removed_client
where organisation_id = $1
  and lower(client_id) in (select lower(given collate "C") from unnest($2::text[]) given);

-- lock-organisation
-- packages/service/src/access/organisation-queries.ts
select id from organisation where identifier = $1 for no key update;

-- put-client
-- packages/service/src/access/organisation-queries.ts
with replaced as (
  update client set scopes = $3, certificates = $4, keys = $5, blocked = $6
  where organisation_id = $1 and client_id = $2
  returning client_id
),
added as (
  insert into client (organisation_id, client_id, scopes, certificates, keys, blocked)
  select $1, $2, $3, $4, $5, $6 where not exists (select from replaced)
  on conflict do nothing
  returning client_id
)
select client_id from replaced union all select client_id from added;

-- read-organisation
-- packages/service/src/access/organisation-queries.ts
select o.identifier as id, o.name, o.kind, o.blocked,
  array(select scope from organisation_scope s where s.organisation_id = o.id order by scope)
    as "grantedScopes",
  array(select number from organisation_number n where n.organisation_id = o.id order by number)
    as "identificationNumbers",
  coalesce((
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'client_id', c.client_id, 'scopes', to_jsonb(c.scopes), 'certificates', c.certificates,
      'keys', c.keys, 'blocked', c.blocked)) order by c.client_id)
    from client c where c.organisation_id = o.id), '[]') as clients
from organisation o where o.identifier = $1;

-- remove-other-clients
-- packages/service/src/access/organisation-queries.ts
with removed as (
  delete from client where organisation_id = $1 and client_id <> all ($2::text[])
  returning client_id
)
insert into removed_client (organisation_id, client_id)
select $1, client_id from removed
on conflict do nothing;

-- remove-other-numbers
-- packages/service/src/access/organisation-queries.ts
delete from organisation_number where organisation_id = $1 and number <> all ($2::text[]);

-- remove-other-scopes
-- packages/service/src/access/organisation-queries.ts
delete from organisation_scope where organisation_id = $1 and scope <> all ($2::text[]);

-- select-organisation-names
-- packages/service/src/access/organisation-queries.ts
select identifier as id, name
from organisation
where identifier = any ($1::text[]) and name <> identifier
order by identifier collate "C";

-- select-organisations
-- packages/service/src/access/organisation-queries.ts
select o.identifier as id, o.name, o.kind,
  array(select scope from organisation_scope s where s.organisation_id = o.id order by scope)
    as "grantedScopes",
  array(select number from organisation_number n where n.organisation_id = o.id order by number)
    as "identificationNumbers",
  o.blocked
from organisation o
where o.identifier collate "C" > $1
order by o.identifier collate "C"
limit $2;

-- select-taken-numbers
-- packages/service/src/access/organisation-queries.ts
select number from unnest($2::text[]) number
except
select number from organisation_number where organisation_id = $1;

-- update-organisation
-- packages/service/src/access/organisation-queries.ts
update organisation set name = $2, kind = $3, blocked = $4
where identifier = $1
returning id;
