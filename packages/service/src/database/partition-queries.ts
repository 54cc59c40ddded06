// SQL of partitions. Names of tables come from the code, not from requests.
import type { Statement } from './database.js';

/** A partition as the catalogue has it; bounds in milliseconds since 1970, `null` for the first and the last one. */
export type PartitionRow = {
  name: string;
  from: number | null;
  until: number | null;
  isDetaching: boolean;
};

/** The partitions of a table, the oldest first. */
export function selectPartitions(table: string): Statement {
  return {
    name: 'select-partitions',
    text: `
      select name, (extract(epoch from substring(bounds from 'FROM \\(''([^'']+)''')::timestamptz) * 1000)::double precision as from,
        (extract(epoch from substring(bounds from 'TO \\(''([^'']+)''')::timestamptz) * 1000)::double precision as until,
        detaching as "isDetaching"
      from (
        select relname as name, pg_get_expr(relpartbound, c.oid) as bounds, inhdetachpending as detaching
        from pg_inherits join pg_class c on c.oid = inhrelid
        where inhparent = to_regclass($1)
      ) partition
      order by 2 nulls first`,
    values: [table],
  };
}

/** The tables that were partitions of a table, were detached, and are not dropped yet. */
export function selectDetached(table: string): Statement {
  return {
    name: 'select-detached-partitions',
    text: `
      select relname as name from pg_class
      where relkind = 'r' and not relispartition and relnamespace = current_schema()::regnamespace
        and relname ~ ('^' || $1 || '_(first|[0-9]{8})$')
      order by relname`,
    values: [table],
  };
}

/** Whether a table has rows. */
export function selectHasRows(table: string): Statement {
  return {
    name: `select-has-rows-${table}`,
    text: `
      select exists (select from ${table}) as "hasRows"`,
    values: [],
  };
}
