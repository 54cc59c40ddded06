// SQL of the time by which data is removed.
import type { Statement } from './database.js';

/** The clock of the database, and the time by which data is removed, in milliseconds since 1970. */
export type RemovalTimeRow = { now: number; time: number };

/**
 * Reads both. A clock that advanced by more than a day since it was last read has jumped, or nobody read it: then the time
 * stays, and approaches the clock by a day for each hour.
 */
export const advanceRemovalTime: Statement<RemovalTimeRow> = {
  name: 'advance-removal-time',
  text: `
    with clock as materialized (select clock_timestamp() as now)
    insert into removal_time as removal (time, read_at) select now, now from clock
    on conflict (is_only) do update set read_at = excluded.read_at, time = least(excluded.time, case
      when excluded.read_at - removal.read_at between interval '0' and interval '1 day'
      then removal.time + (excluded.read_at - removal.read_at) * 24
      else removal.time
    end)
    returning (extract(epoch from read_at) * 1000)::double precision as now,
      (extract(epoch from time) * 1000)::double precision as time`,
  values: [],
};
