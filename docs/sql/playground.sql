-- The SQL of packages/playground/src/. Generated: change the sources, then npm run generate.

-- consume-grant
-- packages/playground/src/identity-provider/queries.ts
insert into used_grant (client_id, jti, ends_at) values ($1, $2, $3)
on conflict (client_id, jti) do update set ends_at = excluded.ends_at
  where used_grant.ends_at < $4
returning client_id;

-- delete-expired-grants
-- packages/playground/src/identity-provider/queries.ts
delete from used_grant where ctid = any (array(
  select ctid from used_grant where ends_at < $1 for update skip locked));

-- find-client
-- packages/playground/src/identity-provider/queries.ts
select c.client_id as "clientId", o.identifier as organisation, o.kind,
  o.blocked or c.blocked as blocked, c.scopes, c.certificates, c.keys,
  array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
from client c
join organisation o on o.id = c.organisation_id
where c.client_id = $1;

-- find-organisation-number
-- packages/playground/src/dataset/queries.ts
select id from organisation where identifier = $1;

-- find-saved-data
-- packages/playground/src/data-queries.ts
select to_regclass('playground."saved sequence"') is not null as saved;
