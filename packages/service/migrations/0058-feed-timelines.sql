-- locks: nothing

-- A database that is restored to an earlier time continues feeds whose last entries it has lost: their positions, and ids
-- that clients give, become those of other entries. Each restoration begins a new timeline (`landfall admin restored`), which
-- tells a marker of before from the same marker of now (decision 0307).
create table feed_timeline (
  number integer primary key generated always as identity,
  -- What clients are told, and send with a marker.
  id uuid not null unique,
  begun_at timestamptz not null
);
insert into feed_timeline (id, begun_at) values (gen_random_uuid(), now());

-- The last position of each feed when a timeline ended, which the next one has too. A feed that is not here had no entry.
create table feed_timeline_end (
  timeline integer not null references feed_timeline,
  kind integer not null,
  owner integer not null,
  position bigint not null,
  primary key (kind, owner, timeline)
);
