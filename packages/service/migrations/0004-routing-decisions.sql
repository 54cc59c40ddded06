-- What the authority has decided, by whom or by which profile, and which signals came of it.

-- Every decision on a house consignment that changed what stood, in order; the last one is also in
-- house_consignment.routing, where presenting finds it.
create table routing_decision (
  house_consignment_id uuid not null references house_consignment on delete cascade,
  number integer not null,
  decided_at timestamptz not null,
  routing text not null check (routing in ('TO_CONTROL', 'TO_ENTRY')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  reason text,
  -- Whose request it was, by which client, and which; null where it was Landfall itself.
  organisation_id integer,
  client_id text,
  request_id text not null,
  -- The routing profile that decided, with its version and the place of its rule from 1; null when a person or
  -- another system did.
  profile text,
  profile_version integer,
  profile_rule integer,
  primary key (house_consignment_id, number)
);

-- The signals that a decision after presentation issued. The first ones, which presenting issued, are told by
-- connection.signal_position.
create table issued_signal (
  house_consignment_id uuid not null,
  owner integer not null,
  position bigint not null,
  decision integer not null,
  primary key (house_consignment_id, owner, position)
);

-- Routing profiles: a version never changes, and one of all is live, or none.
create table routing_profile (
  name text not null,
  version integer not null,
  created_at timestamptz not null,
  -- The profile as it was put: JSON text.
  profile text not null,
  live_since timestamptz,
  primary key (name, version)
);
create unique index routing_profile_live on routing_profile ((true)) where live_since is not null;
