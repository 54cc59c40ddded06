// The list of an organisation's movement messages: what is in it, page by page, and what a page costs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type MovementQuery, type MovementSummary, modes } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { insertMovements, type MovementRow } from '../testing/movement-rows.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { countScannedRows } from '../testing/scanned-rows.js';
import { listMovements } from './list-movements.js';
import { findMovements } from './queries.js';

const OWN = '0192:310000200';
const MESSAGES = 20_000;
/** One in so many is of this organisation, and one in so many names it as representative. */
const SUBMITTED = 5;
const REPRESENTED = 7;
/** A document that one in so many has, whoever lodged it. */
const NAMED = 40;

const mrnOf = (n: number) => `26NO${String(n).padStart(12, '0')}T0`;
const kind = { mode: 'road', level: 'house-consignment' } as const;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`lists of movement messages on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let own: number;
    let rows: MovementRow[];
    const isOwn = ({ submitter, representative }: MovementRow) =>
      submitter === own || representative === own;
    /** The MRNs of own messages by the rule, newest first. */
    const expected = (matches: (row: MovementRow) => boolean) =>
      rows
        .filter((row) => isOwn(row) && matches(row))
        .map(({ mrn }) => mrn)
        .reverse();
    const readAll = async (
      query: MovementQuery,
      limits: Parameters<typeof listMovements>[4] = {},
      of: Parameters<typeof listMovements>[2] = kind,
    ) => {
      const read: string[] = [];
      let marker: string | undefined;
      let pages = 0;
      do {
        const page = await listMovements(
          database,
          own,
          of,
          { ...query, ...(marker !== undefined && { marker }) },
          limits,
        );
        assert(page.movements.length <= (query.limit ?? 1000));
        read.push(...page.movements.map((text) => (JSON.parse(text) as MovementSummary).mrn));
        marker = page.next;
        pages++;
      } while (marker !== undefined);
      return { read, pages };
    };

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(
        database,
        { consignmentExpiry: 0 },
        {
          identities: [
            {
              name: 'submitter',
              kind: 'domestic',
              organisation: OWN,
              organisationName: 'Submitter',
              scopes: [modes.road.scope, modes.air.scope],
              granted: [modes.road.scope, modes.air.scope],
            },
          ],
        },
      );
      own = await organisationOf(database, OWN);
      const other = await organisationOf(database, '0192:310000201');
      rows = Array.from({ length: MESSAGES }, (_, index) => {
        const n = index + 1;
        const documentNumber = n % NAMED === 0 ? 'SHARED' : `D${n}`;
        return {
          mrn: mrnOf(n),
          submitter: n % SUBMITTED === 0 ? own : other,
          ...(n % REPRESENTED === 0 && { representative: own }),
          documentNumber,
          documentType: n % 2 === 0 ? 'N740' : 'N703',
          carrier: n % 3 === 0 ? 'NO1' : 'NO2',
          listed: { document: { documentNumber, type: n % 2 === 0 ? 'N740' : 'N703' } },
          ...(n % 11 === 0 && { mode: 'air' }),
          ...(n % 13 === 0 && { state: 'CANCELLED' }),
          ...(n % 1000 === 0 && { level: 'TRANSPORT', mode: 'road', means: 'AB12345' }),
        } satisfies MovementRow;
      });
      for (let start = 0; start < MESSAGES; start += 5000) {
        await insertMovements(database, rows.slice(start, start + 5000));
      }
      await database.transact((transaction) => transaction.run('analyze'));
    });
    after(() => playground.close());

    const isKind = ({ mode = 'road', level = 'HOUSE_CONSIGNMENT' }: MovementRow) =>
      mode === 'road' && level === 'HOUSE_CONSIGNMENT';
    const filters: { query: MovementQuery; matches: (row: MovementRow) => boolean }[] = [
      { query: {}, matches: () => true },
      { query: { type: 'N740' }, matches: ({ documentType }) => documentType === 'N740' },
      { query: { carrierId: 'NO1' }, matches: ({ carrier }) => carrier === 'NO1' },
      { query: { state: 'CURRENT' }, matches: ({ state }) => state === undefined },
      { query: { state: 'CANCELLED' }, matches: ({ state }) => state === 'CANCELLED' },
      {
        query: { documentNumber: 'SHARED' },
        matches: ({ documentNumber }) => documentNumber === 'SHARED',
      },
      {
        query: { documentNumber: 'SHARED', carrierId: 'NO1', state: 'CURRENT' },
        matches: ({ documentNumber, carrier, state }) =>
          documentNumber === 'SHARED' && carrier === 'NO1' && state === undefined,
      },
      {
        query: { documentNumber: 'D35' },
        matches: ({ documentNumber }) => documentNumber === 'D35',
      },
      { query: { documentNumber: 'nothing' }, matches: () => false },
      { query: { identificationNumber: 'AB12345' }, matches: () => false },
    ];
    for (const { query, matches } of filters) {
      test(`pages by ${JSON.stringify(query)} have each message once, newest first`, async () => {
        const wanted = expected((row) => isKind(row) && matches(row));
        for (const limit of [1000, 17]) {
          assert.deepEqual((await readAll({ ...query, limit })).read, wanted);
        }
        // With a few at once, most pages end before they are full, and documents are found by the parties.
        const few = await readAll({ ...query, limit: 17 }, { maxExamined: 500, maxNamed: 3 });
        assert.deepEqual(few.read, wanted);
        const isRare = query.documentNumber !== undefined && wanted.length < 3;
        assert.equal(few.pages > 1, !isRare);
      });
    }

    test('transports are found by their means', async () => {
      const of = { mode: 'road', level: 'transport' } as const;
      const wanted = expected(({ means }) => means === 'AB12345');
      assert.equal(wanted.length, MESSAGES / 1000);
      assert.deepEqual((await readAll({ identificationNumber: 'AB12345' }, {}, of)).read, wanted);
      assert.deepEqual((await readAll({ identificationNumber: 'AB12346' }, {}, of)).read, []);
    });

    for (const way of ['party', 'document', 'means'] as const) {
      test(`a step by ${way} scans little more than it examines, wherever it begins`, async () => {
        const names = {
          party: {},
          document: { documentNumber: 'SHARED' },
          means: { identificationNumber: 'AB12345' },
        };
        for (const after of [undefined, MESSAGES / 2, 10]) {
          const step = { after, limit: 10, examined: 20 };
          const statement = findMovements(own, { ...kind, ...names[way] }, way, step);
          const scanned = await countScannedRows(database, statement);
          // Of two walks: index, table, the message itself, its MRN.
          assert(scanned < 200, `${scanned} rows after ${after}`);
        }
      });
    }

    test('a page over HTTP has a count, a Link, lines, and what the message says', async () => {
      const address = '/api/movement/road/v2/house-consignment';
      const first = await playground.get(`${address}?limit=2&type=N740`, 'submitter');
      assert.equal(first.status, 200);
      assert.equal(first.headers.get('landfall-count'), '2');
      const wanted = expected((row) => isKind(row) && row.documentType === 'N740');
      const [summary] = first.body as MovementSummary[];
      const at = rows.findIndex(({ mrn }) => mrn === wanted[0]) + 1;
      assert.equal(summary?.mrn, wanted[0]);
      assert.deepEqual(summary?.document, { documentNumber: `D${at}`, type: 'N740' });
      assert.deepEqual([summary?.state, summary?.complete], ['CURRENT', true]);
      const next = /^<http:\/\/[^/]*([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '');
      const second = await playground.get(next?.[1] ?? assert.fail('no Link'), 'submitter');
      assert.deepEqual(
        [...(first.body as MovementSummary[]), ...(second.body as MovementSummary[])].map(
          ({ mrn }) => mrn,
        ),
        wanted.slice(0, 4),
      );
      const lines = await playground.get(`${address}?limit=2&type=N740`, 'submitter', {
        accept: 'application/x-ndjson',
      });
      assert.equal(`[${lines.text.trimEnd().split('\n').join(',')}]`, first.text);
      const none = await playground.get(address, 'carrier');
      assert.deepEqual([none.body, none.headers.get('landfall-count')], [[], '0']);
    });

    test('a marker that is no MRN of an own message is refused', async () => {
      const address = '/api/movement/road/v2/house-consignment';
      const foreign = rows.find((row) => !isOwn(row))?.mrn ?? assert.fail();
      for (const marker of [foreign, '26NO999999999999T9']) {
        const { status, text } = await playground.get(`${address}?marker=${marker}`, 'submitter');
        assert.equal(status, 400);
        assert.match(text, /"code":"UNKNOWN_MARKER"/);
      }
    });
  });
}
