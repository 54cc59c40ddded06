// What the migrations make, as far as it is a rule for all tables.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`schema on ${name}`, { skip }, () => {
    test('every index of text sorts byte by byte, whatever language the database has (decision 0082)', async () => {
      const database = await open();
      try {
        const columns = await database.query<{ name: string; collation: string }>({
          name: '',
          text: `
            select format('%s.%s', attrelid::regclass, attname) as name, collname as collation
            from pg_index
            join pg_attribute on attrelid = indrelid and attnum = any(indkey::int2[])
            join pg_collation c on c.oid = attcollation
            where atttypid = 'text'::regtype and indrelid::regclass::text !~ '^pg_'`,
          values: [],
        });
        assert.ok(columns.length > 10, `${columns.length} columns checked`);
        assert.deepEqual(
          columns.filter(({ collation }) => collation !== 'C'),
          [],
        );
      } finally {
        await database.close();
      }
    });
  });
}
