// The pages of the house consignments of one declaration: each reads what it returns, and together they have everything.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, HouseConsignmentQuery } from '@landfall/contract';
import fc from 'fast-check';
import type { Database, Queryable, Statement } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { countScannedRows } from '../testing/scanned-rows.js';
import { listHouseConsignments } from './list-house-consignments.js';
import { findPage, type SelectedRow, selectMatching } from './queries.js';
import { selectHouseConsignments } from './select-house-consignments.js';

const BASE = '/api/authority/v1';

/** Goods of the declarations of the first test. The second one has more than one page examines. */
const SIZES = [2000, 24_000];
const LIMIT = 100;

/** Each house consignment of a page, and what is looked up for it, is a row; all goods would be 24,000. */
const MAX_ROWS = 20 * LIMIT;

/** All goods of a declaration. */
const WALK = { by: 'DOCUMENTS', examined: 10_000 } as const;

/** Filters that match all goods of the first test. */
const OF_ALL = {
  containerId: 'ALL',
  receptacleId: 'RALL',
  masterDocumentNumber: 'MALL',
  type: 'N740',
  organisation: '0192:1',
  state: 'PRE_NOTIFIED',
  office: 'NO351001',
  from: '2000-01-01T00:00:00Z',
} as const;

const mrnOf = (size: number) => `26NO${String(size).padStart(14, '0')}`;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`what pages of a declaration read on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
      const declarations = SIZES.map(
        (size) => `
          insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
            values ('${mrnOf(size)}', 'NO351001', (select id from organisation where identifier = '0192:1'));
          insert into house_consignment (id, ens_id, document_number, document_type, signal_head, receptacle_id,
              master_document_number, master_document_key, master_document_type)
            select gen_random_uuid(), (select id from entry_summary_declaration where mrn = '${mrnOf(size)}'),
              'H' || n, 'N740', '{}', 'RALL', 'MALL', 'MALL', 'N741'
            from generate_series(1, ${size}) n;`,
      );
      // What all of them have, what half of them have, in the order of documents, and what few have.
      const shared = `
        insert into house_consignment_container (container_id, house_consignment_id, ens_id)
          select container, id, ens_id from house_consignment cross join unnest(array['ALL', 'HALF', 'FEW']) container
          where container = 'ALL' or container = 'HALF' and document_number > 'H2'
            or container = 'FEW' and document_number like '%000';`;
      await database.transact((transaction) =>
        transaction.run(`
          insert into organisation (identifier) values ('0192:1');
          ${declarations.join('')}
          ${shared}
          analyze`),
      );
    });
    after(() => database.close());

    const mrn = mrnOf(24_000);

    /** Reads a page, and counts the rows that its statements scan. */
    const readPage = async (
      filters: HouseConsignmentQuery,
      marker: string | undefined,
      limit = LIMIT,
    ) => {
      let rows = 0;
      const counting: Queryable = {
        query: async (statement) => {
          rows += await countScannedRows(database, statement);
          return database.query(statement);
        },
      };
      const query = { ...filters, limit, ...(marker && { marker }) };
      const { count: found, next } = await listHouseConsignments(counting, query);
      return { found, next, rows };
    };
    const idOf = async (documentNumber: string) => {
      const [row] = await database.query<{ id: string }>({
        name: '',
        text: `select id from house_consignment where document_number = $1 and ens_id = (
          select id from entry_summary_declaration where mrn = $2)`,
        values: [documentNumber, mrn],
      });
      return row?.id;
    };

    for (const size of SIZES) {
      test(`a page of ${size} goods reads as much late as at the beginning`, async () => {
        const ids = await database.query<{ id: string }>({
          name: 'ids-in-order',
          text: `
            select id from house_consignment
            where ens_id = (select id from entry_summary_declaration where mrn = $1)
            order by document_number, document_type`,
          values: [mrnOf(size)],
        });
        const late = ids.at(-LIMIT - 1)?.id;
        assert(late !== undefined);
        const rows = [];
        for (const marker of [undefined, ids[size / 2]?.id, late]) {
          rows.push((await readPage({ mrn: mrnOf(size) }, marker)).rows);
        }
        const [first = 0] = rows;
        assert(first >= LIMIT, `the first page read ${first} rows`);
        for (const read of rows) assert(read < MAX_ROWS, `a page read ${rows} rows`);
      });
    }

    test('a page by any two filters that match all goods reads what it returns, wherever it begins', async () => {
      const names = Object.keys(OF_ALL) as (keyof typeof OF_ALL)[];
      const late = await idOf('H17000');
      for (const [index, one] of names.entries()) {
        for (const other of names.slice(index)) {
          const filters = { mrn, [one]: OF_ALL[one], [other]: OF_ALL[other] };
          const { found, rows } = await readPage(filters, late);
          assert.equal(found, LIMIT, `${one} and ${other}`);
          assert(rows < MAX_ROWS, `by ${one} and ${other}, a page read ${rows} rows`);
        }
      }
    });

    test('a page by filters that match few goods, or none, reads these and ten for each of the page', async () => {
      // Each of them is read for the page, for their number and for the last one.
      const most = 5 * 10 * LIMIT;
      const FEW = { containerId: 'FEW' };
      for (const [filters, count] of [
        [FEW, 24],
        [{ ...FEW, receptacleId: 'RALL' }, 24],
        [{ ...FEW, masterDocumentNumber: 'MALL', office: 'NO351001' }, 24],
        [{ ...FEW, receptacleId: 'NONE' }, 0],
        [{ containerId: 'NONE' }, 0],
        [{ masterDocumentNumber: 'NONE' }, 0],
        [{ containerId: 'ALL', documentNumber: 'NONE' }, 0],
      ] as const) {
        const { found, rows } = await readPage({ mrn, ...filters }, undefined);
        assert.equal(found, count);
        assert(rows < most, `by ${JSON.stringify(filters)}, a page read ${rows} rows`);
      }
    });

    test('pages by a filter that matches the later half have all of it, and each examines a bounded number', async () => {
      const filters = { mrn, containerId: 'HALF' };
      let found = 0;
      let marker: string | undefined;
      do {
        const page = await readPage(filters, marker, 1000);
        assert(page.rows < 6 * 10_000, `a page read ${page.rows} rows`);
        found += page.found;
        marker = page.next;
      } while (marker !== undefined);
      const [half] = await database.query<{ count: number }>({
        name: '',
        text: `select count(*)::integer from house_consignment_container where container_id = 'HALF' and ens_id = (
          select id from entry_summary_declaration where mrn = $1)`,
        values: [mrn],
      });
      assert(found > 10_000);
      assert.equal(found, half?.count);
    });

    test('a time in which few goods were pre-notified is looked for in a bounded number of goods', async () => {
      const filters = { mrn: mrnOf(24_000), fromId: 'ff000000-0000-0000-0000-000000000000' };
      const read = await countScannedRows(database, findPage(filters, undefined, LIMIT, WALK));
      // 1 of 256 random ids is in the range: the candidates are read for the page, for their number and for the last one.
      assert(read < 32_000, `a page read ${read} rows`);
      let found = 0;
      let marker: string | undefined;
      for (let pages = 0; ; pages++) {
        const [row] = await database.query(findPage(filters, marker, 1000, WALK));
        assert(row?.isKnown);
        found += row.found;
        if (row.candidates !== 10_000) break;
        assert(pages < 3);
        marker = row.lastCandidate ?? undefined;
      }
      const [all] = await database.query<{ count: number }>({
        name: 'goods-of-a-time',
        text: `
          select count(*)::integer from house_consignment
          where id >= $1 and ens_id = (select id from entry_summary_declaration where mrn = $2)`,
        values: [filters.fromId, filters.mrn],
      });
      assert(found > 0);
      assert.equal(found, all?.count);
    });

    test('a selection of many steps is of one moment, whatever others commit meanwhile', async () => {
      let changing: Promise<unknown> | undefined;
      let steps = 0;
      /** Commits a change of the first and of the last goods, after the first step of the selection. */
      const change = async ({ name: statement }: Statement) => {
        if (!statement.startsWith('select-matching') || ++steps !== 2) return;
        changing = database.query({
          name: '',
          text: `update house_consignment set routing = 'TO_ENTRY'
            where document_number in ('H1', 'H9999') and ens_id = (
              select id from entry_summary_declaration where mrn = '${mrnOf(24_000)}')`,
          values: [],
        });
        // The embedded database has one session: there it waits for the selection.
        if (database.kind === 'postgresql') await changing;
      };
      const querying =
        (queryable: Queryable): Queryable['query'] =>
        async (statement) => {
          const rows = await queryable.query(statement);
          await change(statement);
          return rows;
        };
      const observed: Database = {
        ...database,
        query: querying(database),
        transact: (work, lane) =>
          database.transact(
            (transaction) =>
              work({
                ...transaction,
                run: (script) => transaction.run(script),
                query: querying(transaction),
              }),
            lane,
          ),
      };
      const selected = await selectHouseConsignments(
        observed,
        { mrn: mrnOf(24_000), state: 'PRE_NOTIFIED' },
        { found: 100_000, examined: 1_000_000 },
      );
      await changing;
      assert(Array.isArray(selected));
      assert(steps > 3);
      assert.equal(selected.length, 24_000);
    });

    test('a selection has all goods of a declaration once', async () => {
      const selected: string[] = [];
      let marker: string | undefined;
      let row: SelectedRow | undefined;
      do {
        [row] = await database.query(selectMatching({ mrn: mrnOf(24_000) }, marker, WALK));
        assert(row?.isKnown);
        selected.push(...row.selected.map(([id]) => id));
        marker = row.lastCandidate ?? undefined;
      } while (row.candidates === 10_000);
      assert.equal(selected.length, 24_000);
      assert.equal(new Set(selected).size, 24_000);
    });
  });

  describe(`pages of a declaration on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    let declarations = 0;
    const put = async (mrn: string, numbers: readonly string[]) => {
      const response = await playground.call(`${BASE}/entry-summary-declarations/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body: {
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000019',
          houseConsignments: numbers.map((documentNumber) => ({
            transportDocumentHouseLevel: { documentNumber, type: 'N740' },
          })),
        },
      });
      assert(response.status === 200 || response.status === 201, response.text);
    };
    const page = async (query: Record<string, string>) => {
      const path = `${BASE}/house-consignments?${new URLSearchParams(query)}`;
      const response = await playground.get(path, 'authority');
      assert.equal(response.status, 200, response.text);
      const next = response.headers.get('link')?.match(/marker=([0-9a-f-]+)/)?.[1];
      // The cast is true because the response was checked against openapi.json.
      return { found: response.body as HouseConsignment[], next };
    };
    const numberOf = ({ transportDocumentHouseLevel: { documentNumber } }: HouseConsignment) =>
      documentNumber;
    const newMrn = () => {
      declarations += 1;
      return `26NO1${String(declarations).padStart(13, '0')}`;
    };

    test('pages of any size have every house consignment once, also while others are registered and withdrawn', async () => {
      const numbers = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9]{1,6}$/), {
        minLength: 1,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(
          numbers,
          fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
          async (all, sizes) => {
            // Half of them are there from the beginning to the end; others come and go after each page.
            const mrn = newMrn();
            const lasting = all.filter((_, index) => index % 2 === 0);
            const others = all.filter((_, index) => index % 2 === 1);
            await put(mrn, all);
            const read: string[] = [];
            let marker: string | undefined;
            for (let pages = 0; ; pages++) {
              const limit = String(sizes[pages % sizes.length]);
              const { found, next } = await page({ mrn, limit, ...(marker && { marker }) });
              read.push(...found.map(numberOf));
              if (next === undefined) break;
              marker = next;
              await put(mrn, pages % 2 === 0 ? lasting : [...others, ...lasting]);
            }
            assert.equal(new Set(read).size, read.length, `${read}`);
            assert.deepEqual(
              read.filter((number) => lasting.includes(number)),
              [...lasting].sort(),
            );
          },
        ),
        { numRuns: 15 },
      );
    });

    test('goods are in the order of their documents, and filters keep it', async () => {
      const mrn = newMrn();
      await put(mrn, ['C', 'A', 'B']);
      for (const filter of [{}, { type: 'N740' }, { organisation: '0192:310000019' }]) {
        const { found } = await page({ mrn, ...filter });
        assert.deepEqual(found.map(numberOf), ['A', 'B', 'C']);
      }
    });

    test('a marker that is not of the declaration is refused', async () => {
      const mrn = newMrn();
      const other = newMrn();
      await put(mrn, ['A']);
      await put(other, ['B']);
      const [foreign] = (await page({ mrn: other })).found;
      assert(foreign);
      for (const marker of [randomUUID(), foreign.id]) {
        const path = `${BASE}/house-consignments?mrn=${mrn}&marker=${marker}`;
        const { status, body } = await playground.get(path, 'authority');
        assert.equal(status, 400);
        const { validationErrors } = body as { validationErrors: { code: string }[] };
        assert.deepEqual(
          validationErrors.map(({ code }) => code),
          ['UNKNOWN_MARKER'],
        );
      }
    });
  });
}
