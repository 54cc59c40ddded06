// SQL of partitions. Names of tables come from the code, not from requests.
import type { Statement } from './database.js';

/** A partition as the catalogue has it; bounds in milliseconds since 1970, `null` for the first and the last one. */
export type PartitionRow = {
  /** Its object id. */
  id: number;
  name: string;
  from: number | null;
  until: number | null;
  isDetaching: boolean;
  /** Whether Landfall is detaching it, or was interrupted. */
  isRecorded: boolean;
};

/** The partitions of a table, the oldest first. */
export function selectPartitions(table: string): Statement<PartitionRow> {
  return {
    name: 'select-partitions',
    text: `
      select id, name, (extract(epoch from substring(bounds from 'FROM \\(''([^'']+)''')::timestamptz) * 1000)::double precision as from,
        (extract(epoch from substring(bounds from 'TO \\(''([^'']+)''')::timestamptz) * 1000)::double precision as until,
        detaching as "isDetaching",
        exists (select from detached_partition d where d.partition = partition.id::oid) as "isRecorded"
      from (
        select c.oid::bigint as id, relname as name, pg_get_expr(relpartbound, c.oid) as bounds, inhdetachpending as detaching
        from pg_inherits join pg_class c on c.oid = inhrelid
        where inhparent = to_regclass($1)
      ) partition
      order by 3 nulls first`,
    values: [table],
  };
}

/** Records that a partition is being detached, unless somebody else has detached it; returns a row if it is recorded. */
export function recordDetaching(id: number, parent: string, until: Date): Statement {
  return {
    name: 'record-detaching',
    text: `
      insert into detached_partition (partition, name, parent, until)
      select oid, relname, $2, $3 from pg_class where oid = $1::bigint::oid and relispartition
      returning name`,
    values: [id, parent, until],
  };
}

/** Removes the record of a partition that is not being detached. */
export function forgetDetaching(id: number): Statement {
  return {
    name: 'forget-detaching',
    text: 'delete from detached_partition where partition = $1::bigint::oid',
    values: [id],
  };
}

/** Removes the records of partitions that are attached, because they were not detached or were attached again. */
export function forgetAttached(parent: string): Statement {
  return {
    name: 'forget-attached',
    text: `
      delete from detached_partition d
      where parent = $1 and exists (select from pg_inherits i where i.inhrelid = d.partition and not i.inhdetachpending)`,
    values: [parent],
  };
}

/** A table to drop: its name as recorded, and as SQL has it. */
export type DetachedRow = { id: number; name: string; table: string };

/**
 * The tables that Landfall has detached and not dropped, all of whose rows are before a time. It is still that table if it
 * has the same object id and the same name, and is no partition.
 */
export function selectDetached(parent: string, before: Date): Statement<DetachedRow> {
  return {
    name: 'select-detached-partitions',
    text: `
      select d.partition::bigint as id, d.name, d.partition::regclass::text as table
      from detached_partition d
      join pg_class c on c.oid = d.partition and c.relname = d.name and c.relkind = 'r' and not c.relispartition
      where d.parent = $1 and d.until <= $2
      order by d.until`,
    values: [parent, before],
  };
}

/** Whether a table has rows. */
export function selectHasRows(table: string): Statement<{ hasRows: boolean }> {
  return {
    name: `select-has-rows-${table}`,
    text: `
      select exists (select from ${table}) as "hasRows"`,
    values: [],
  };
}
