-- What happened, by whom: a trail that cannot be changed unnoticed.

-- Each record's digest is sha256(digest of the record before it in its chain || entry), so a record cannot be changed,
-- removed or moved without breaking all that follow. There are several chains, so that writers do not wait for each
-- other: whoever appends takes one that nobody holds, by the advisory lock (3, chain), and keeps it until its commit.
-- Now and then a record names where all chains end, so that the end of a chain cannot be cut off either.
create table audit_record (
  chain integer not null,
  position bigint not null,
  digest bytea not null,
  entry text not null,
  primary key (chain, position)
);
-- Compressing a record costs each presentation more than it saves.
alter table audit_record alter column entry set storage external;

-- What happened to single house consignments and has no place elsewhere: changed, withdrawn. It outlives them. The
-- audit record it belongs to holds a digest of all its events, in the order of their places.
create table consignment_event (
  chain integer not null,
  position bigint not null,
  place integer not null,
  house_consignment_id uuid not null,
  at timestamptz not null,
  entry text not null,
  primary key (chain, position, place)
);
create index on consignment_event (house_consignment_id);

-- Which client was given which positions of which feed, and when: a row for at most 1000 positions.
create table reading (
  chain integer not null,
  position bigint not null,
  place integer not null,
  kind integer not null,
  owner integer not null,
  client_id text not null,
  first_position bigint not null,
  last_position bigint not null,
  at timestamptz not null,
  primary key (chain, position, place)
);
create index on reading (owner, kind, last_position);
