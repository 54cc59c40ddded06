// Filtered lists of statuses contain the matching entries, and an index serves each, however long the feed is.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ValidationStatusQuery } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { selectPage } from '../feed/queries.js';
import { readPage } from '../feed/read-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { setFeedStates } from '../testing/feed-states.js';
import { countScannedRows } from '../testing/scanned-rows.js';
import { listValidationStatuses } from './list-validation-statuses.js';

const OWNER = 1;
const STATUSES = 50_000;
/** One in so many fails; one in so many reached the requested declaration. */
const FAILED = 500;
const REACHED = 700;
/** One in so many reached this declaration and others. */
const REACHED_AMONG = 900;
const MRN = '26NO00000000000001';
const OTHER_MRN = '26NO00000000000002';

type Query = Pick<ValidationStatusQuery, 'requestId' | 'mrn' | 'status'>;
const requestId = randomUUID();
const requestIdAt = STATUSES / 2;

/** The positions that a query selects, by the rule. */
function expectedPositions({ requestId: id, mrn, status }: Query): number[] {
  return Array.from({ length: STATUSES }, (_, index) => index + 1).filter(
    (n) =>
      (id === undefined || (id === requestId && n === requestIdAt)) &&
      (mrn === undefined || (mrn === MRN && (n % REACHED === 0 || n % REACHED_AMONG === 0))) &&
      (status === undefined || (n % FAILED === 0) === (status === 'FAILURE')),
  );
}

const queries: Query[] = [
  { status: 'FAILURE' },
  { status: 'SUCCESS' },
  { mrn: MRN },
  { mrn: OTHER_MRN },
  { mrn: '26NO00000000000099' },
  { requestId },
  { requestId: randomUUID() },
  { mrn: MRN, status: 'FAILURE' },
  { mrn: MRN, status: 'SUCCESS' },
  { requestId, status: 'SUCCESS' },
  { requestId, mrn: MRN, status: 'FAILURE' },
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`filters of statuses on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await database.transact((transaction) =>
        transaction.run(`
          insert into organisation (identifier) values ('0192:1');
          insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
            select mrn, 'NO351001', (select id from organisation where identifier = '0192:1')
            from unnest(array['${MRN}', '${OTHER_MRN}']) as mrn;
          insert into validation_status (owner, position, id, failed, ens_id, entry)
            select ${OWNER}, n, case when n = ${requestIdAt} then '${requestId}' else gen_random_uuid() end,
              n % ${FAILED} = 0,
              case when n % ${REACHED} = 0 then (select id from entry_summary_declaration where mrn = '${MRN}')
              end, n::text
            from generate_series(1, ${STATUSES}) as n;
          insert into validation_status_ens (owner, ens_id, position)
            select ${OWNER}, (select id from entry_summary_declaration where mrn = '${MRN}'), n
            from generate_series(${REACHED_AMONG}, ${STATUSES}, ${REACHED_AMONG}) as n
            where n % ${REACHED} <> 0;
          ${setFeedStates}
          analyze`),
      );
    });
    after(() => database.close());

    for (const query of queries) {
      const label = Object.keys(query).join(', ');
      const { feed, filter } = listValidationStatuses(OWNER, query);

      test(`pages by ${label} (${query.status ?? query.mrn ?? ''}) contain what the query selects, in order`, async () => {
        const read: number[] = [];
        let more = true;
        for (let position = 0; more; ) {
          const page = await readPage(database, feed, position, 999, 'json', filter);
          read.push(...(JSON.parse(page.body) as number[]));
          ({ position, more } = page);
          if (!more) assert.equal(position, STATUSES, 'all of the feed was scanned');
        }
        assert.deepEqual(read, expectedPositions(query));
      });

      test(`a page by ${label} (${query.status ?? query.mrn ?? ''}) scans little more than it contains`, async () => {
        const limit = 100;
        const scanned = await countScannedRows(
          database,
          selectPage(feed, 0, limit, 'json', filter),
        );
        // Each position of an MRN is read once to be found, and once for its entry.
        assert(scanned < 10 * limit, `${scanned} rows of ${STATUSES} were scanned`);
      });
    }

    test('a follower of a filtered feed does not scan again what it has scanned', async () => {
      const { feed, filter } = listValidationStatuses(OWNER, { status: 'FAILURE', mrn: OTHER_MRN });
      const { position, entries } = await readPage(database, feed, 0, 100, 'json', filter);
      assert.equal(entries, 0);
      assert.equal(position, STATUSES);
    });
  });
}
