// Goods are found by their reference even if there are few declarations, of which the planner would otherwise read all.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { presentationRequest } from '../testing/present-requests.js';
import { countScannedRows } from '../testing/scanned-rows.js';
import { commitLevel, findLevel } from './level-queries.js';

const DECLARATIONS = 40;
const HOUSES = 100;
/** Goods, their declaration and their recipients are read several times; all goods would be 4,000 rows. */
const MAX_ROWS = 20 * HOUSES;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`presenting with few declarations on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await database.transact((transaction) =>
        transaction.run(`
          insert into organisation (identifier) values ('0192:1');
          insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
            select '26NO' || lpad(n::text, 14, '0'), 'NO351001', (select id from organisation)
            from generate_series(1, ${DECLARATIONS}) n;
          insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
            master_document_type, receptacle_id, signal_head)
            select gen_random_uuid(), e.id, 'H' || e.id || '-' || n, 'N740', 'M' || e.id, 'N741', 'R' || e.id, '{}'
            from entry_summary_declaration e cross join generate_series(1, ${HOUSES}) n;
          insert into house_consignment_container (container_id, house_consignment_id, ens_id)
            select 'C' || ens_id, id, ens_id from house_consignment;
          analyze`),
      );
    });
    after(() => database.close());

    const levels = [
      ['master-consignment', 'M7', 'N741'],
      ['receptacle', 'R7', undefined],
      ['container', 'C7', undefined],
    ] as const;
    for (const [path, identifier, documentType] of levels) {
      test(`a ${path} is presented by reading its goods, and no others`, async () => {
        const request = presentationRequest(path, 1, {});
        const reference = { identifier, key: identifier, documentType, mrn: undefined };
        const withGoods = { ...request, submission: { ...request.submission, reference } };
        const find = findLevel(path, withGoods, false);
        const commit = commitLevel(path, withGoods, false, '{}', new Date());
        const locked = `select set_config('landfall.locked', '{1}', true)`;
        for (const [statement, rows] of [
          ['finding', await countScannedRows(database, find)],
          ['committing', await countScannedRows(database, commit, locked)],
        ] as const) {
          assert(rows >= HOUSES && rows < MAX_ROWS, `${statement} read ${rows} rows`);
        }
      });
    }
  });
}
