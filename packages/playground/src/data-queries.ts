// SQL that keeps a copy of all data beside it, and puts it back. The tables are read from the catalogue, so that a new
// migration needs no change here. Scripts without values.
import type { Statement } from '@landfall/service/assembly';

/** All tables of a schema, partitioned ones as a whole. */
const allTablesOf = (schema: string) => `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/** The schema of the playground itself. */
export const OWN_SCHEMA = 'public';

const ALL_TABLES = allTablesOf(OWN_SCHEMA);

/**
 * Those that a playground has made: what somebody else adds is never reset. Without the list of migrations, and without what
 * identifies the installation, by which it knows its streams in NATS again.
 */
export const tablesOf = (schema: string) =>
  `${allTablesOf(schema)} and c.relname not in ('migration', 'primary_history') and c.relname in (select name from playground."own table")`;

const MAKE_LIST = `
  create schema if not exists playground;
  create table if not exists playground."own table" (name text primary key);`;

/** Makes the list of the tables that a playground has made; an error (P0001) names some that it has not made. */
export const claimTables = `
do $$
declare foreign_tables text;
begin
  ${MAKE_LIST}
  select string_agg(name, ', ' order by name) into foreign_tables from (
    select name from (${ALL_TABLES}) every_table where name not in (select name from playground."own table") limit 3
  ) foreign_table;
  if foreign_tables is not null then
    raise exception '%', foreign_tables;
  end if;
end $$`;

/** Adds what the service's migrations have made to the list. */
export const ownTables = `${MAKE_LIST}
insert into playground."own table" select name from (${ALL_TABLES}) every_table on conflict do nothing;`;

/** The bytes of a table with all of its partitions. */
const sizeOf = (table: string) =>
  `coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree(${table})), pg_relation_size(${table}))`;

/** The tables in an order in which each comes after those that it refers to. */
const orderedTablesOf = (schema: string) => `
  with recursive referring (oid, depth) as (
    select oid, 0 from (${tablesOf(schema)}) every_table
    union
    select k.conrelid, r.depth + 1 from referring r
    join pg_constraint k on k.confrelid = r.oid and k.contype = 'f' and k.conrelid <> r.oid
  )
  select every_table.name, max(referring.depth) as depth from (${tablesOf(schema)}) every_table
  join referring on referring.oid = every_table.oid
  group by every_table.name`;

/** Data of more bytes than this is truncated, which takes longer than deleting a few rows and less than many. */
const TRUNCATED_BYTES = 16 * 1024 * 1024;

/** Copies every table that has rows, and the positions of all sequences, into the schema `playground`. */
export const saveData = `
do $$
declare t record; has_rows boolean;
begin
  create table playground."saved table" (name text, depth integer, columns text);
  for t in ${orderedTablesOf(OWN_SCHEMA)} loop
    execute format('select exists (select from public.%I)', t.name) into has_rows;
    if not has_rows then continue; end if;
    execute format('create table playground.%I as table public.%I', t.name, t.name);
    insert into playground."saved table"
      select t.name, t.depth, string_agg(quote_ident(attname), ', ') from pg_attribute
      where attrelid = format('public.%I', t.name)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
  end loop;
  create table playground."saved sequence" (name text, last_value bigint, is_called boolean);
  for t in select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' loop
    execute format(
      'insert into playground."saved sequence" select %L, last_value, is_called from public.%I', t.name, t.name);
  end loop;
end $$`;

/**
 * Replaces all data of a schema of playgrounds by the copy.
 *
 * @param truncatedBytes more data than this is truncated, which gives its storage back
 */
export const restoreData = (schema: string, truncatedBytes = TRUNCATED_BYTES) => `
do $$
declare t record;
begin
  if (select sum(${sizeOf('oid')}) from (${tablesOf(schema)}) every_table) > ${truncatedBytes} then
    execute (select 'truncate ' || string_agg(format('${schema}.%I', name), ', ') from (${tablesOf(schema)}) every_table);
  else
    for t in ${orderedTablesOf(schema)} order by depth desc loop
      if ${sizeOf(`format('${schema}.%I', t.name)::regclass`)} > 0 then
        execute format('delete from ${schema}.%I', t.name);
      end if;
    end loop;
  end if;
  for t in select * from playground."saved table" order by depth loop
    execute format('insert into ${schema}.%I (%s) overriding system value select %s from playground.%I',
      t.name, t.columns, t.columns, t.name);
  end loop;
  perform setval(format('${schema}.%I', name)::regclass, last_value, is_called) from playground."saved sequence";
end $$`;

/** Returns to the positions of all sequences that were saved. */
export const restoreSequences = `
select setval(format('public.%I', name)::regclass, last_value, is_called) from playground."saved sequence";`;

/** Makes the table of what no reset replaces. */
export const makeKeptTable = `
create schema if not exists playground;
create table if not exists playground.kept (name text primary key, value text not null);`;

/** What is kept under a name. */
export function selectKept(name: string): Statement<{ value: string }> {
  return {
    name: 'select-kept',
    text: 'select value from playground.kept where name = $1',
    values: [name],
  };
}

/** Keeps a value under a name. */
export function keep(name: string, value: string): Statement {
  return {
    name: 'keep',
    text: `
      insert into playground.kept (name, value) values ($1, $2)
      on conflict (name) do update set value = excluded.value`,
    values: [name, value],
  };
}

/** The streams in NATS to which entries of this data were relayed. */
export const selectRecordedStreams: Statement<{ stream: string }> = {
  name: 'select-recorded-streams',
  text: 'select distinct stream from public.relay_position order by stream',
  values: [],
};

/** Whether there is a copy. */
export const findSavedData: Statement<{ saved: boolean }> = {
  name: 'find-saved-data',
  text: 'select to_regclass(\'playground."saved sequence"\') is not null as saved',
  values: [],
};
