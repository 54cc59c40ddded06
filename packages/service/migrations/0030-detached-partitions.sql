-- locks: nothing
--
-- The partitions that Landfall has detached to drop them, from before it detaches one until it has dropped it. A table that
-- an operator has detached is not here, and stays.
create table detached_partition (
  partition oid primary key,
  name text collate "C" not null,
  parent text collate "C" not null,
  -- The end of the rows that it had.
  until timestamptz not null
);
