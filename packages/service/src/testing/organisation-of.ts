// Organisations in tests that work below HTTP.
import assert from 'node:assert/strict';
import type { Queryable } from '../database/database.js';

/** The number of an organisation, which is added, with its record in the audit trail, if it is missing. */
export async function organisationOf(database: Queryable, identifier: string): Promise<number> {
  const [row] = await database.query<{ id: number }>({
    name: 'test-organisation',
    text: `
      with recorded as materialized (
        select append_audit_record(3, '{"action":"test.organisation","details":{}}')
        where not exists (select from organisation where identifier = $1)
      ),
      added as (
        insert into organisation (identifier) select $1 from recorded
        on conflict (identifier) do update set identifier = excluded.identifier returning id
      )
      select id from added union all select id from organisation where identifier = $1`,
    values: [identifier],
  });
  return row?.id ?? assert.fail();
}
