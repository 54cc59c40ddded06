-- locks: nothing
--
-- The time by which data is removed. It follows the clock of the database and is never ahead of it. When that clock has
-- jumped, this time approaches it gradually, so that what a wrong clock makes look old is not removed at once
-- (decision 0143).
create table removal_time (
  is_only boolean primary key default true check (is_only),
  time timestamptz not null,
  -- What the clock of the database was when it was last read.
  read_at timestamptz not null
);
