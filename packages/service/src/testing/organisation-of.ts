// Organisations in tests that work below HTTP.
import assert from 'node:assert/strict';
import type { Queryable } from '../database/database.js';

/** The number of an organisation, which is added if it is missing. */
export async function organisationOf(database: Queryable, identifier: string): Promise<number> {
  const [row] = await database.query<{ id: number }>({
    name: 'test-organisation',
    text: `insert into organisation (identifier) values ($1)
      on conflict (identifier) do update set name = excluded.name returning id`,
    values: [identifier],
  });
  return row?.id ?? assert.fail();
}
