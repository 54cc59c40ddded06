// What the database function that appends does is the same for every kind of feed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from './database/database.js';
import { feedKinds } from './feed-kinds.js';
import { drawnDatabases } from './testing/databases.js';

/** Entries of two owners, in turns. */
const OWNERS = [7, 8, 7, 8, 7];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  for (const { number, table, ids } of feedKinds) {
    test(`entries of ${table} are numbered, stored, counted and digested, on ${name}`, {
      skip,
    }, async () => {
      const database = await open();
      try {
        for (const round of [0, 1]) {
          const [row] = await append(database, number, ids === 'given');
          assert(row !== undefined);
          const { positions, appended } = row;
          const before = { 7: 3 * round, 8: 2 * round };
          assert.deepEqual(positions.map(Number), [
            before[7] + 1,
            before[8] + 1,
            before[7] + 2,
            before[8] + 2,
            before[7] + 3,
          ]);
          const ranges = `${number}/7/${before[7] + 1}-${before[7] + 3} ${number}/8/${before[8] + 1}-${before[8] + 2}`;
          const { entries, digest } = JSON.parse(appended);
          assert.equal(entries, ranges);
          const [stored] = await database.query<{ digest: string; texts: string[] }>({
            name: '',
            text: `
              select encode(sha256(convert_to(string_agg(entry, '' order by owner, position), 'UTF8')), 'hex')
                  as digest,
                array_agg(entry = case when ${ids === 'given'} then '{}' else 'text ' || id || '.' end) as texts
              from ${table}
              where owner = 7 and position > ${before[7]} or owner = 8 and position > ${before[8]}`,
            values: [],
          });
          assert.equal(digest, stored?.digest);
          assert.deepEqual(
            stored?.texts,
            OWNERS.map(() => true),
          );
        }
        const states = await database.query<{ owner: number; position: number }>({
          name: '',
          text: 'select owner, position from feed_state where kind = $1 order by owner',
          values: [number],
        });
        assert.deepEqual(
          states.map(({ owner, position }) => [owner, position]),
          [
            [7, 6],
            [8, 4],
          ],
        );
      } finally {
        await database.close();
      }
    });
  }
}

function append(database: Database, kind: number, isGiven: boolean) {
  return database.query<{ positions: (number | string)[]; appended: string }>({
    name: '',
    text: `
      select positions, appended
      from (
        select array_agg(row($1::integer, owner, case when $2::boolean then gen_random_uuid() end,
          -- What is published is JSON.
          case when $2::boolean then '{}' else 'text ' end,
          case when not $2::boolean then '.' end, false, null, null, null, '', now())::new_entry order by number) as entries
        from unnest($3::integer[]) with ordinality as entry (owner, number)
      ) all_entries
      cross join append_to_feeds(entries, 0, null)`,
    values: [kind, isGiven, OWNERS],
  });
}
