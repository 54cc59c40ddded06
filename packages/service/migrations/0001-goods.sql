-- Organisations, what is pre-notified, what is presented, and the feeds that tell of it.
--
-- A feed's table holds the entries of all owners: owner, position, id, entry. Positions of an owner count from 1
-- without a gap. Whoever appends holds the owner's advisory lock (1, owner) from before it looks for the last
-- position until its commit, so that entries become visible in the order of their positions.

-- An organisation as tokens name it: '0192:974760673', or an eSeal's organizationIdentifier.
create table organisation (
  id integer generated always as identity primary key,
  identifier text not null unique,
  name text not null default '',
  kind text not null default 'domestic' check (kind in ('domestic', 'foreign')),
  blocked boolean not null default false,
  created_at timestamptz not null default now()
);

create table entry_summary_declaration (
  id integer generated always as identity primary key,
  mrn text not null unique,
  customs_office_of_first_entry text not null,
  declarant integer not null references organisation,
  representative integer references organisation,
  estimated_time_of_arrival timestamptz,
  transport_means_number text,
  transport_means_type text
);

create table house_consignment (
  id uuid primary key,
  ens_id integer not null references entry_summary_declaration,
  document_number text not null,
  document_type text not null,
  master_document_number text,
  master_document_type text,
  receptacle_id text,
  -- What a signal says of the consignment, up to its routing result: JSON text without the closing brace.
  signal_head text not null,
  -- The decision that applies now.
  routing text check (routing in ('TO_CONTROL', 'TO_ENTRY')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  unique (ens_id, document_number, document_type)
);
create index on house_consignment (document_number, document_type);
create index on house_consignment (master_document_number, master_document_type)
  where master_document_number is not null;
create index on house_consignment (receptacle_id) where receptacle_id is not null;

create table house_consignment_container (
  container_id text not null,
  house_consignment_id uuid not null references house_consignment on delete cascade,
  primary key (container_id, house_consignment_id)
);
create index on house_consignment_container (house_consignment_id);

-- Who receives the signals of a house consignment. A house consignment is presented exactly when it has a row
-- here: presenting it connects the presenter, its ENS's declarant and its representative.
create table connection (
  house_consignment_id uuid not null,
  organisation_id integer not null,
  -- Whose request it was, and which: the status of that request tells when.
  presenter integer not null,
  request_id uuid not null,
  -- Where the signal of the decision that stood then is in the organisation's feed; null when there was none yet.
  signal_position bigint,
  primary key (house_consignment_id, organisation_id)
);

-- The feed of what became of each presentation request; its id is the requestId, which it spends.
create table validation_status (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  failed boolean not null,
  -- The entry summary declaration that the reference reached, when it reached exactly one.
  ens_id integer,
  entry text not null,
  primary key (owner, position)
);
create unique index on validation_status (owner, id);
create index on validation_status (owner, ens_id, position) where ens_id is not null;

-- The entry summary declarations that the reference of a request reached, when it reached several.
create table validation_status_ens (
  owner integer not null,
  ens_id integer not null,
  position bigint not null,
  primary key (owner, ens_id, position)
);

-- The feed of routing signals; the id is the marker and carries the position (UUID v8).
create table routing_signal (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  entry text not null,
  primary key (owner, position)
);

-- The entries of CL141 in force, in place of the built-in ones once a list was imported.
create table customs_office (
  reference_number text primary key,
  name text not null,
  valid_from date,
  valid_to date
);
create table code_list_import (
  code_list text primary key,
  imported_at timestamptz not null,
  entries integer not null
);

-- Both functions are one expression each, and no more volatile than they say: so PostgreSQL puts them into the query
-- that calls them, instead of running a query for each row.

-- A marker that carries its position: 48 bits of position, then 74 random bits, as a UUID v8 (RFC 9562).
create function mint_marker(feed_position bigint) returns uuid language sql volatile as $$
  select (
    substr(lpad(to_hex(feed_position), 12, '0'), 1, 8) || '-' || right(lpad(to_hex(feed_position), 12, '0'), 4)
      || '-8' || substr(gen_random_uuid()::text, 16)
  )::uuid
$$;

-- The text of a routing signal: what is known of the consignment, and the decision.
create function routing_signal_entry(
  signal_head text, id uuid, routing text, routing_control_location text, issued text
) returns text language sql immutable as $$
  select signal_head || ',"routingResult":{"id":"' || id::text || '","routing":"' || routing
    || coalesce('","routingControlLocation":"' || routing_control_location, '')
    || '","documentIssueDate":"' || issued || '"}}'
$$;
