// A house consignment of a declaration is found by its key, however many the declaration has: also by plans that were made
// when the tables were empty, because an embedded database never has statistics, and a new one has none for a while.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database, Statement } from '../database/database.js';
import { lockHouseConsignments } from '../presentation/house-queries.js';
import { lockAffected, selectDecided } from '../routing/decision-queries.js';
import { drawnDatabases } from '../testing/databases.js';
import { presentationRequest } from '../testing/present-requests.js';
import { compareHouses, type HouseToCompare } from './house-queries.js';
import { selectWithdrawnHouses } from './withdrawal-queries.js';

/** House consignments of the declaration, and how many are looked up. */
const [HOUSES, LOOKED_UP] = [5000, 50];

/** PostgreSQL keeps a plan for all values from the sixth execution on. */
const EXECUTIONS = 6;

const documents = Array.from({ length: LOOKED_UP }, (_, number) => ({
  documentNumber: `L${number * 7}`,
  type: 'N740' as const,
}));

const MRN = '26NO00000000000001';

const toCompare = documents.map(
  (transportDocumentHouseLevel): HouseToCompare => ({
    // The cast is true because the statements need no more of it.
    declaration: { id: 1, members: {} } as HouseToCompare['declaration'],
    house: { transportDocumentHouseLevel },
  }),
);

const decisions = documents.map((transportDocumentHouseLevel) => ({
  mrn: MRN,
  transportDocumentHouseLevel,
  routing: 'TO_ENTRY' as const,
}));

const presentations = documents.map((transportDocumentHouseLevel) =>
  presentationRequest('house-consignment', 1, { mrn: MRN, transportDocumentHouseLevel }),
);

const officer = { origin: 'OFFICER', organisationId: 1, clientId: 'c', at: new Date() } as const;

/** Statements that look them up, and the table that they read. */
const lookUps: Record<string, { table: string; statement: Statement<object> | Statement }> = {
  'an upload': { table: 'house_consignment', statement: compareHouses(toCompare) },
  'an upload, of what was withdrawn': {
    table: 'withdrawn_house_consignment',
    statement: selectWithdrawnHouses(toCompare),
  },
  'locks for decisions': {
    table: 'house_consignment',
    statement: lockAffected(decisions, officer, false, false, 50),
  },
  decisions: { table: 'house_consignment', statement: selectDecided(decisions, officer, false) },
  'locks for presentations': {
    table: 'house_consignment',
    statement: lockHouseConsignments(presentations, false, 0),
  },
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`plans for a large declaration on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    for (const [what, { table, statement }] of Object.entries(lookUps)) {
      test(`${what}: ${table} is read by keys`, async () => {
        await database
          .transact(async (transaction) => {
            const read = async () => {
              const text = `
                select coalesce(sum(pg_stat_get_xact_tuples_returned(i.indexrelid)), 0)::integer
                  + pg_stat_get_xact_tuples_returned('${table}'::regclass)::integer as rows
                from pg_index i where i.indrelid = '${table}'::regclass`;
              const [row] = await transaction.query({ name: '', text, values: [] } as Statement<{
                rows: number;
              }>);
              return row?.rows ?? 0;
            };
            for (let count = 0; count < EXECUTIONS; count++) {
              await transaction.query(statement);
            }
            await transaction.run(`
              insert into organisation (id, identifier) overriding system value values (1, 'NO1');
              insert into entry_summary_declaration (id, mrn, customs_office_of_first_entry, declarant)
              overriding system value values (1, '${MRN}', '', 1);
              insert into registration (id, at, request_id) overriding system value values (1, now(), gen_random_uuid());
              insert into ${table} (id, ens_id, document_number, document_key, document_type, signal_head
                ${table.startsWith('withdrawn') ? ', withdrawal' : ''})
              select gen_random_uuid(), 1, 'L' || number, 'L' || number, 'N740', ''
                ${table.startsWith('withdrawn') ? ', 1' : ''}
              from generate_series(0, ${HOUSES - 1}) number`);
            const before = await read();
            await transaction.query(statement);
            const rows = (await read()) - before;
            assert(rows >= LOOKED_UP, `${rows} rows were read for ${LOOKED_UP}`);
            assert(rows < 5 * LOOKED_UP, `${rows} rows were read for ${LOOKED_UP}`);
            throw new RolledBack();
          })
          .catch((error: unknown) => {
            if (!(error instanceof RolledBack)) throw error;
          });
      });
    }
  });
}

/** The next test begins with empty tables. */
class RolledBack extends Error {}
