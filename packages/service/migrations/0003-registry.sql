-- Who registered what is pre-notified, and the decision that came with it.

-- One row for each transaction that registers; null where it was Landfall itself.
create table registration (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  organisation_id integer references organisation,
  client_id text,
  request_id uuid not null
);

-- Without a foreign key, which would be checked for each of very many rows: registrations are never deleted.
alter table house_consignment
  add column registration bigint,
  -- The decision made beforehand as it was registered last; `routing` may have been decided otherwise since.
  add column registered_routing text check (registered_routing in ('TO_CONTROL', 'TO_ENTRY')),
  add column registered_control_location text
    check (registered_control_location in ('ON_ENTRY', 'AFTER_ENTRY'));

update house_consignment
  set registered_routing = routing, registered_control_location = routing_control_location
  where routing is not null;
