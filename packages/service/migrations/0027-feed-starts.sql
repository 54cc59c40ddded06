-- locks: nothing
--
-- The last entry that retention removed from a feed of statuses or signals. Its id is a marker that is still good, because
-- every entry after it is kept; an older marker has expired.
create table feed_start (
  kind integer not null,
  owner integer not null,
  position bigint not null,
  id uuid not null,
  primary key (kind, owner)
);
