// Tables that are made at once are those that the migrations make, on both databases.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { createTables } from './create-tables.js';
import type { Database } from './database.js';

/**
 * What a schema has, without its name: each kind of object, with its definition. Whether a column may be null is a part of the
 * column: names of such constraints differ between versions of PostgreSQL.
 */
const definitions = (schema: string) => `
  select 'column' as kind, format('%s.%s %s %s %s %s', c.relname, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity, pg_get_expr(adbin, adrelid)) as definition
    from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = '${schema}'::regnamespace and attnum > 0 and not attisdropped and relkind <> 'i'
  union all select 'relation', format('%s %s %s %s %s', relname, relkind, relpersistence, relispartition, reloptions)
    from pg_class where relnamespace = '${schema}'::regnamespace
  union all select 'index', pg_get_indexdef(oid) from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind in ('i', 'I')
  union all select 'constraint', format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = '${schema}'::regnamespace and contype <> 'n'
  union all select 'trigger', pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
    where relnamespace = '${schema}'::regnamespace and not tgisinternal
  union all select 'function', pg_get_functiondef(oid) from pg_proc where pronamespace = '${schema}'::regnamespace
  union all select 'view', pg_get_viewdef(oid) from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind = 'v'
  union all select 'statistics', pg_get_statisticsobjdef(oid) from pg_statistic_ext
    where stxnamespace = '${schema}'::regnamespace
  union all select 'type', format('%s %s', typname, typtype) from pg_type
    where typnamespace = '${schema}'::regnamespace
  union all select 'partition', format('%s of %s %s', i.inhrelid::regclass, i.inhparent::regclass,
      pg_get_expr(c.relpartbound, c.oid)) from pg_inherits i join pg_class c on c.oid = inhrelid
    where relnamespace = '${schema}'::regnamespace`;

async function describeSchema(database: Database, schema: string): Promise<string[]> {
  const rows = await database.query<{ kind: string; definition: string }>({
    name: '',
    text: definitions(schema),
    values: [],
  });
  const names = new RegExp(`\\b${schema}\\.`, 'g');
  return rows
    .map(({ kind, definition }) => `${kind}: ${definition.replace(names, '')}`)
    .map((text) => text.replace(/ AS [\w?"]+|'(-\d+)'::integer|\((-\d+)\)/g, '$1$2'))
    .sort();
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`tables made at once on ${name}`, { skip }, () => {
    test('have each column, index, constraint, trigger and function of those of the migrations', async () => {
      const database = await open();
      const copy = database.inSchema('copy');
      try {
        await database.transact((transaction) => transaction.run('create schema copy'));
        await createTables(copy, 'public');
        const expected = await describeSchema(database, 'public');
        assert(expected.length > 500, `${expected.length} definitions`);
        const made = await describeSchema(copy, 'copy');
        const lacks = (from: string[], other: string[]) =>
          from.filter((one) => !other.includes(one));
        assert.deepEqual([lacks(expected, made), lacks(made, expected)], [[], []]);
        assert.equal(made.length, expected.length);
        const list = (from: Database) =>
          from.query({ name: '', text: 'select * from migration order by name', values: [] });
        assert.deepEqual(await list(copy), await list(database));
      } finally {
        await copy.close();
        await database.close();
      }
    });
  });
}
