// What each statement reads does not grow with what was written since its plan was made: a session keeps its plans, and
// makes them when tables are empty, as after the installation and at the beginning of each month.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT_LOCK } from '../packages/service/dist/database/locks.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { whyNoPostgresql } from '../packages/service/dist/testing/postgresql.js';
import {
  addDeclarations,
  addHouseConsignments,
  addOrganisations,
  runMaintenance,
} from './goods.js';
import { addPresentations, documentOf, findLatest } from './growth-goods.js';
import { connectAsService, countPages } from './growth-pages.js';
import { makeDatabase } from './own-database.js';

const skip = await whyNoPostgresql();

const DECLARATIONS = 120;
const HOUSES = 100 * DECLARATIONS;
/** What is presented by SQL: first, so that there is a page to read, and after plans were made. */
const FIRST = 100;
const PRESENTED = 5000;
const RECORDS = 3000;

const states = {
  'empty tables': async () => undefined,
  'analysed tables': (database) => runMaintenance(database),
  'a new month after a full one': async (database) => {
    await database.transact((transaction) =>
      transaction.run(`
        insert into audit_record (chain, position, digest, entry, recorded_at)
        select chain, position + number, '', '{}', date_trunc('month', now()) - interval '1 day'
        from audit_chain_end, generate_series(1, 300) number;
        update audit_chain_end set position = position + 300`),
    );
    await runMaintenance(database);
  },
};

for (const [name, prepare] of Object.entries(states)) {
  test(`plans that were made with ${name}`, { skip }, async () => {
    const address = 'postgresql://postgres@127.0.0.1:5432/postgres';
    const suffix = Object.keys(states).indexOf(name);
    const { url, database, drop } = await makeDatabase(
      address,
      `landfall_plans_${process.pid}_${suffix}`,
    );
    let client;
    try {
      await migrate(database);
      await addOrganisations(database);
      await addDeclarations(database, 0, DECLARATIONS);
      await addHouseConsignments(database, 0, HOUSES);
      await addPresentations(database, 0, FIRST);
      await prepare(database);
      client = await connectAsService(url);
      const count = async (from) => {
        const documents = Array.from({ length: 3000 }, (_, index) => documentOf(from + index));
        return countPages(client, { ...(await findLatest(client)), documents });
      };
      const before = await count(FIRST);
      await addPresentations(database, FIRST, PRESENTED);
      await client.query(
        `select append_audit_record(${AUDIT_LOCK}, '{}') from generate_series(1, ${RECORDS})`,
      );
      const after = await count(PRESENTED);
      for (const [row, pages] of Object.entries(after)) {
        assert.ok(pages < 1.5 * before[row] + 10, `${row}: ${before[row]} pages, then ${pages}`);
      }
    } finally {
      await client?.end();
      await drop();
    }
  });
}
