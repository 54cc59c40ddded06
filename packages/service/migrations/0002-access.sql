-- Who may do what.

-- What the authority has granted an organisation: scopes in their plain form without prefix.
create table organisation_scope (
  organisation_id integer not null references organisation on delete cascade,
  scope text not null,
  granted_at timestamptz not null default now(),
  primary key (organisation_id, scope)
);
