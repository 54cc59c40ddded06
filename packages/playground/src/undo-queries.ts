// SQL that records what every written row was before, and puts it back. Tables are read from the catalogue, as for the
// copy of all data (`data-queries.ts`).
//
// The oldest entry of a key after a position says what the row was at that position. So what was written often in between
// is put back once, and the order of tables does not matter, because no trigger and no foreign key acts meanwhile
// (`session_replication_role`).
import type { Statement } from '@landfall/service/assembly';
import { OWN_SCHEMA, tablesOf } from './data-queries.js';

/** Where the record of the changes of a schema is: beside the tables of the playground, and among those of a space. */
const recordOf = (schema: string) => (schema === OWN_SCHEMA ? 'playground' : schema);

/** How many entries are kept, each with one row as text. What is written after them is not recorded. */
export const MAX_UNDO_ENTRIES = 300_000;

const makeLog = (schema: string, log = recordOf(schema)) => `
create schema if not exists ${log};
drop table if exists ${log}.undo;
drop table if exists ${log}."undone table";
drop sequence if exists ${log}.undo_position;
create sequence ${log}.undo_position;
create table ${log}.undo (position bigint, name text, existed boolean, content text);
create table ${log}."undone table" (
  name text primary key, keys text, key_fields text, columns text, fields text, match text);

create or replace function ${log}.record_undo() returns trigger language plpgsql as $f$
declare
  next bigint := nextval('${log}.undo_position');
begin
  if next > ${MAX_UNDO_ENTRIES} then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into ${log}.undo values (next, tg_argv[0], true, old::text);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and tg_argv[1] = 'whole row' then
    insert into ${log}.undo values (next, tg_argv[0], false, new::text);
  end if;
  return null;
end $f$;

create or replace function ${log}.undo_to(since bigint) returns void language plpgsql as $f$
declare
  t record;
  entries text;
begin
  perform set_config('session_replication_role', 'replica', true);
  -- Waits for transactions that have written, and lets no other one write.
  lock table ${log}.undo in exclusive mode;
  for t in
    select u.* from ${log}."undone table" u
    where exists (select from ${log}.undo e where e.name = u.name and e.position > since)
  loop
    entries := format('(select u.position as undo_position, u.existed as row_existed, u.content, u.content::${schema}.%1$I as r
      from ${log}.undo u where u.name = %1$L and u.position > %2$s offset 0) entry', t.name, since);
    if t.keys is null then
      execute format('
        with change as (
          select content, sum(case when row_existed then -1 else 1 end) as added from %2$s group by content
        ), numbered as (
          select t.tableoid as partition, t.ctid as place, c.added, row_number() over (partition by c.content) as number
          from (select content, added, content::${schema}.%1$I as r from change where added > 0 offset 0) c
          join ${schema}.%1$I t on %3$s t::text = c.content
        )
        delete from ${schema}.%1$I t using numbered n
        where n.number <= n.added and t.tableoid = n.partition and t.ctid = n.place', t.name, entries, t.match);
      execute format('
        insert into ${schema}.%1$I (%3$s) overriding system value
        select %4$s from (
          select content::${schema}.%1$I as r, count from (
            select content, sum(case when row_existed then 1 else -1 end) as count from %2$s group by content
          ) change where count > 0 offset 0
        ) removed, generate_series(1, count)', t.name, entries, t.columns, t.fields);
    else
      execute format('delete from ${schema}.%1$I where (%3$s) in (select %4$s from %2$s)', t.name, entries, t.keys, t.key_fields);
      execute format('
        insert into ${schema}.%1$I (%3$s) overriding system value
        select %4$s from (
          -- Columns of a table may have any name.
          select distinct on (%5$s) row_existed, r from %2$s order by %5$s, undo_position
        ) oldest where row_existed', t.name, entries, t.columns, t.fields, t.key_fields);
    end if;
  end loop;
  delete from ${log}.undo where position > since;
end $f$;`;

const makeTriggers = (schema: string, log = recordOf(schema)) => `
do $d$
declare
  t record;
begin
  insert into ${log}."undone table"
  select name,
    string_agg(column_name, ', ' order by attnum) filter (where is_key),
    string_agg('(r).' || column_name, ', ' order by attnum) filter (where is_key),
    string_agg(column_name, ', ' order by attnum),
    string_agg('(r).' || column_name, ', ' order by attnum),
    coalesce(string_agg(format('t.%1$s = (c.r).%1$s and ', column_name), '') filter (where divides), '')
  from (
    select own.name, attnum, quote_ident(attname) as column_name, attnum = any (i.indkey) as is_key,
      attnum = any (p.partattrs) as divides
    from (${tablesOf(schema)}) own
    join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped and attgenerated = ''
    left join pg_index i on i.indrelid = own.oid and i.indisprimary
    left join pg_partitioned_table p on p.partrelid = own.oid
  ) own_column
  group by name;
  for t in select * from ${log}."undone table" loop
    execute format('create or replace trigger playground_undo after insert or update or delete on ${schema}.%I
      for each row execute function ${log}.record_undo(%L, %L)',
      t.name, t.name, case when t.keys is null then 'whole row' else 'key' end);
  end loop;
end $d$;`;

/** Records from now on; what was recorded before is forgotten. */
export const recordUndo = (schema: string) => `${makeLog(schema)}${makeTriggers(schema)}`;

/** Records no more, and forgets what was recorded. */
export const endUndo = (schema: string, log = recordOf(schema)) => `
drop function if exists ${log}.record_undo() cascade;
drop function if exists ${log}.undo_to(bigint);
drop table if exists ${log}.undo;
drop table if exists ${log}."undone table";
drop sequence if exists ${log}.undo_position;`;

/**
 * A partition is emptied in place of being dropped: what a reset puts back needs it. The service drops no partition that
 * it cannot record.
 */
export const keepPartitions = (schema: string, log = recordOf(schema)) => `
create schema if not exists ${log};
create or replace function ${log}.empty_partition() returns trigger language plpgsql as $f$
begin
  execute format('delete from %s', new.partition::regclass);
  return null;
end $f$;
create or replace trigger playground_keep before insert on ${schema}.detached_partition
  for each row execute function ${log}.empty_partition();`;

/** Whether the user of the database may set what undoing needs. */
export const trySettingRole = `set local session_replication_role = replica`;

/** The position after everything that was written, when no transaction is writing. Run after `lockUndo`. */
export function selectPosition(schema: string): Statement<{ position: number }> {
  return {
    name: 'select-undo-position',
    text: `
      select case when is_called then last_value else 0 end::double precision as position
      from ${recordOf(schema)}.undo_position`,
    values: [],
  };
}

/** Waits for transactions that have written, and lets no other one write until the end of this transaction. */
export const lockUndo = (schema: string) => `lock table ${recordOf(schema)}.undo in exclusive mode`;

/** Forgets everything that was recorded. */
export const emptyUndo = (schema: string, log = recordOf(schema)) =>
  `truncate ${log}.undo; alter sequence ${log}.undo_position restart;`;

/** Puts back what was written after a position. */
export function undoTo(schema: string, position: number): Statement {
  return {
    name: 'undo-to',
    text: `select ${recordOf(schema)}.undo_to($1)`,
    values: [position],
  };
}

/** Continues after a position. */
export function setPosition(schema: string, position: number): Statement {
  return {
    name: 'set-undo-position',
    text: `select setval('${recordOf(schema)}.undo_position', greatest($1::bigint, 1), $1::bigint > 0)`,
    values: [position],
  };
}

/** The positions of all sequences, as a text. */
export function selectSequences(schema: string): Statement<{ sequences: string }> {
  return {
    name: 'select-sequences',
    text: `
      select coalesce(jsonb_object_agg(sequencename, jsonb_build_array(
        coalesce(last_value, start_value), last_value is not null)), '{}')::text as sequences
      from pg_sequences where schemaname = $1 and sequencename <> 'undo_position'`,
    values: [schema],
  };
}

/** Returns to positions of sequences. */
export function setSequences(schema: string, sequences: string): Statement {
  return {
    name: 'set-sequences',
    text: `
      select setval(format('${schema}.%I', key)::regclass, (value->>0)::bigint, (value->>1)::boolean)
      from jsonb_each($1::jsonb)`,
    values: [sequences],
  };
}

/** How many bytes the copy of the data of the start has. */
export const selectCopySize: Statement<{ bytes: number }> = {
  name: 'select-copy-size',
  text: `
    select coalesce(sum(pg_relation_size(c.oid)), 0)::double precision as bytes from pg_class c
    join playground."saved table" s on s.name = c.relname
    where c.relnamespace = 'playground'::regnamespace`,
  values: [],
};
