-- locks: nothing
--
-- A token is refused because of any party that it names, not only because of the client of its organisation.

-- Clients whose id another organisation has in client: eSeals are named by their serial number, which is unique only for
-- each issuer. The previous release needs client_id to be the key of client, so these have a table of their own.
create table seal_client (
  organisation_id integer not null references organisation on delete cascade,
  client_id text collate "C" not null,
  scopes text[],
  certificates text[] not null default '{}',
  keys jsonb not null default '[]',
  blocked boolean not null default false,
  primary key (organisation_id, client_id)
);
create index on seal_client (lower(client_id));

-- Every client of every organisation.
create view organisation_client as
  select organisation_id, client_id, scopes, certificates, keys, blocked from client
  union all
  select organisation_id, client_id, scopes, certificates, keys, blocked from seal_client;

-- Clients that were registered and are not any more. Their tokens are refused until they are registered again, also
-- where an external identity provider continues to issue them.
create table removed_client (
  organisation_id integer not null references organisation on delete cascade,
  client_id text collate "C" not null,
  primary key (organisation_id, client_id)
);
create index on removed_client (lower(client_id));
