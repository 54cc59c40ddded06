-- Who may do what.

-- What the authority has granted an organisation: scopes in their plain form without prefix.
create table organisation_scope (
  organisation_id integer not null references organisation on delete cascade,
  scope text not null,
  granted_at timestamptz not null default now(),
  primary key (organisation_id, scope)
);

-- By which clients an organisation calls. Nothing here is secret: certificates and public keys.
create table client (
  client_id text primary key,
  organisation_id integer not null references organisation on delete cascade,
  -- What it may ask the identity provider for; null: whatever its organisation is granted.
  scopes text[],
  -- Certificates accepted without their chain: base64 DER.
  certificates text[] not null default '{}',
  -- Public keys (RFC 7517), each with a kid.
  keys jsonb not null default '[]',
  blocked boolean not null default false
);
create index on client (organisation_id);

-- The jti of every grant that may still be within its time: each is taken once, by whichever server.
create table used_grant (
  client_id text not null,
  jti text not null,
  ends_at timestamptz not null,
  primary key (client_id, jti)
);
create index on used_grant (ends_at);
