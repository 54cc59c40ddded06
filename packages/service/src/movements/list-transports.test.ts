// The transports that the authority lists: what is in the list, page by page, and what a page costs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ExpectedTransport, TransportQuery } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { inHours, TestMovements, transportMessage } from '../testing/movement-client.js';
import { insertMovements, type MovementRow } from '../testing/movement-rows.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { countScannedRows } from '../testing/scanned-rows.js';
import { findTransports } from './authority-queries.js';
import { listTransports } from './list-transports.js';

const PATH = '/api/authority/v1/transports';
const TRANSPORTS = 5000;
const OFFICES = ['NO351001', 'NO371001', 'NO311001'];
const mrnOf = (n: number) => `26NO${String(n).padStart(12, '0')}T0`;
/** Each estimated arrival is that of several transports: 7 has no factor in common with the number of minutes. */
const timeOf = (n: number) =>
  new Date(Date.UTC(2026, 0, 1) + ((n * 7) % 1000) * 60_000).toISOString();
const officeOf = ({ arrivalOffice, office }: MovementRow) => arrivalOffice ?? office;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the list of transports on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let rows: MovementRow[];
    const expected = (matches: (row: MovementRow) => boolean) =>
      rows
        .map((row, index) => ({ row, index }))
        .filter(({ row }) => row.level === 'TRANSPORT' && matches(row))
        .sort((one, other) => {
          const [first = '', second = ''] = [one.row.estimatedAt, other.row.estimatedAt];
          return first === second ? one.index - other.index : first < second ? -1 : 1;
        })
        .map(({ row }) => row.mrn);
    const readAll = async (query: TransportQuery, maxExamined?: number) => {
      const read: string[] = [];
      let marker: string | undefined;
      let pages = 0;
      do {
        const paged = { ...query, ...(marker !== undefined && { marker }) };
        const page = await listTransports(database, paged, maxExamined);
        assert(page.transports.length <= (query.limit ?? 1000));
        read.push(...page.transports.map((text) => (JSON.parse(text) as ExpectedTransport).mrn));
        marker = page.next;
        pages++;
      } while (marker !== undefined);
      return { read, pages };
    };

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, {
        transportExpiry: 0,
        movementClosing: 0,
      });
      const submitter = await organisationOf(database, '0192:310000200');
      rows = Array.from({ length: TRANSPORTS }, (_, index) => {
        const n = index + 1;
        return {
          mrn: mrnOf(n),
          submitter,
          level: n % 10 === 0 ? 'MASTER_CONSIGNMENT' : 'TRANSPORT',
          mode: n % 3 === 0 ? 'air' : 'road',
          estimatedAt: timeOf(n),
          office: OFFICES[n % 2] ?? '',
          means: n % 100 === 1 ? 'AB12345' : `P${n}`,
          ...(n % 4 === 0 && { arrivedAt: timeOf(n), arrivalOffice: OFFICES[2] ?? '' }),
          ...(n % 7 === 0 && { state: 'CANCELLED' }),
        };
      });
      for (let start = 0; start < rows.length; start += 5000) {
        await insertMovements(database, rows.slice(start, start + 5000));
      }
      await database.transact((transaction) => transaction.run('analyze'));
    });
    after(() => playground.close());

    const from = timeOf(20);
    const to = timeOf(100);
    const isWithin = ({ estimatedAt = '' }: MovementRow) => estimatedAt >= from && estimatedAt < to;
    const filters: { query: TransportQuery; matches: (row: MovementRow) => boolean }[] = [
      { query: {}, matches: () => true },
      { query: { mode: 'air' }, matches: ({ mode }) => mode === 'air' },
      { query: { office: 'NO371001' }, matches: (row) => officeOf(row) === 'NO371001' },
      { query: { office: 'NO311001' }, matches: (row) => officeOf(row) === 'NO311001' },
      { query: { identificationNumber: 'AB12345' }, matches: ({ means }) => means === 'AB12345' },
      {
        query: { identificationNumber: 'AB12345', office: 'NO371001', mode: 'road' },
        matches: (row) =>
          row.means === 'AB12345' && officeOf(row) === 'NO371001' && row.mode === 'road',
      },
      { query: { state: 'CURRENT' }, matches: ({ state }) => state === undefined },
      { query: { state: 'CANCELLED' }, matches: ({ state }) => state === 'CANCELLED' },
      { query: { arrived: true }, matches: ({ arrivedAt }) => arrivedAt !== undefined },
      {
        query: { arrived: false, state: 'CURRENT' },
        matches: ({ arrivedAt, state }) => arrivedAt === undefined && state === undefined,
      },
      { query: { from, to }, matches: isWithin },
      {
        query: { from, to, office: 'NO351001' },
        matches: (row) => isWithin(row) && officeOf(row) === 'NO351001',
      },
      { query: { from: to, to: from }, matches: () => false },
      { query: { identificationNumber: 'ab12345' }, matches: () => false },
    ];
    for (const { query, matches } of filters) {
      test(`pages by ${JSON.stringify(query)} have each transport once, the first to arrive first`, async () => {
        const wanted = expected(matches);
        for (const limit of [1000, 90]) {
          assert.deepEqual((await readAll({ ...query, limit })).read, wanted);
        }
        // With a few at once, most pages end before they are full.
        assert.deepEqual((await readAll({ ...query, limit: 90 }, 400)).read, wanted);
      });
    }

    test('a page examines a limited number of transports, and Link leads on', async () => {
      const { read, pages } = await readAll({ state: 'EXPIRED' }, 500);
      assert.deepEqual(read, []);
      assert.equal(pages, Math.ceil((TRANSPORTS * 0.9) / 500) + 1);
    });

    for (const way of ['time', 'office', 'means'] as const) {
      test(`a step by ${way} scans little more than it examines, wherever it begins and ends`, async () => {
        const names = {
          time: {},
          office: { office: 'NO371001' },
          means: { identificationNumber: 'AB12345' },
        };
        const starts = [undefined, { at: timeOf(300), id: 0 }, { at: '2026-12-31', id: 0 }];
        for (const after of starts) {
          for (const range of [{}, { from }, { to }, { from, to: from }]) {
            const step = { after, limit: 10, examined: 20 };
            const filter = { ...names[way], ...range };
            const scanned = await countScannedRows(database, findTransports(filter, way, step));
            // Index, table, the transport itself, its MRN and its parties.
            assert(
              scanned < 200,
              `${scanned} rows after ${after?.at} by ${JSON.stringify(filter)}`,
            );
          }
        }
      });
    }

    test('a page over HTTP says where and when each transport is to arrive, and has a count, a Link and lines', async () => {
      const movements = new TestMovements(playground);
      const carrier = 'NO310000124';
      const estimatedDateAndTimeOfArrival = inHours(5).replace('Z', '.250Z');
      const scheduledDateAndTimeOfArrival = inHours(4);
      const times = { estimatedDateAndTimeOfArrival, scheduledDateAndTimeOfArrival };
      const mrn = await movements.lodge(
        'transport',
        transportMessage('LT1', { carrier, ...times }),
        'carrier',
      );
      const later = await movements.lodge('transport', transportMessage('LT2'), 'forwarder');
      const query = `from=${encodeURIComponent(inHours(1))}`;
      const page = await playground.get(`${PATH}?${query}&identificationNumber=LT1`, 'authority');
      assert.equal(page.status, 200, page.text);
      const [transport] = page.body as ExpectedTransport[];
      assert.deepEqual(transport, {
        mrn,
        mode: 'road',
        level: 'TRANSPORT',
        state: 'CURRENT',
        lodgedAt: transport?.lodgedAt,
        estimatedDateAndTimeOfArrival,
        customsOfficeOfFirstEntry: 'NO371001',
        submitter: transport?.submitter,
        carrier: '0192:310000124',
        carrierIdentificationNumber: carrier,
        identificationNumber: 'LT1',
        scheduledDateAndTimeOfArrival,
      });
      assert.match(transport?.submitter ?? '', /^0192:\d{9}$/);
      // Of two, the one that is expected first is the first.
      const first = await playground.get(`${PATH}?${query}&limit=1`, 'authority');
      assert.deepEqual(
        (first.body as ExpectedTransport[]).map((one) => one.mrn),
        [later],
      );
      assert.equal(first.headers.get('landfall-count'), '1');
      const next = /^<http:\/\/[^/]*([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '');
      const second = await playground.get(next?.[1] ?? assert.fail('no Link'), 'authority');
      assert.deepEqual(
        (second.body as ExpectedTransport[]).map((one) => one.mrn),
        [mrn],
      );
      const lines = await playground.get(`${PATH}?${query}`, 'authority', {
        accept: 'application/x-ndjson',
      });
      assert.equal(lines.text.split('\n').length, 3);
      // It is replaced: another time, and another office until it arrives.
      const changed = {
        customsOfficeOfFirstEntry: { referenceNumber: 'NO351001' },
        estimatedDateAndTimeOfArrival: inHours(1.5),
        scheduledDateAndTimeOfArrival,
      };
      await movements.replace(
        'transport',
        mrn,
        transportMessage('LT1', { carrier, ...changed }),
        'carrier',
      );
      const at = async (office: string) => {
        const found = await playground.get(`${PATH}?${query}&office=${office}`, 'authority');
        return (found.body as ExpectedTransport[]).map((one) => one.mrn);
      };
      assert.deepEqual(await at('NO351001'), [mrn]);
      assert.deepEqual(await at('NO371001'), [later]);
      await movements.arrive(mrn, 'carrier');
      assert.deepEqual([await at('NO351001'), await at('NO371001')], [[], [mrn, later]]);
    });

    test('a marker that names no transport is refused, and so is one that is none', async () => {
      const refused = async (marker: string) => {
        const response = await playground.get(`${PATH}?marker=${marker}`, 'authority');
        assert.equal(response.status, 400);
        return /"code":"(\w+)"/.exec(response.text)?.[1];
      };
      const time = '2026-01-01T00:00:00.000000Z';
      assert.equal(await refused(`${time}_26NO999999999999T9`), 'UNKNOWN_MARKER');
      assert.equal(await refused(`${time}_${mrnOf(10)}`), 'UNKNOWN_MARKER');
      assert.equal(await refused(`2026-02-30T00:00:00.000000Z_${mrnOf(1)}`), 'UNKNOWN_MARKER');
      assert.equal(await refused(mrnOf(1)), 'FORMAT');
    });

    test('carriers cannot list transports', async () => {
      assert.equal((await playground.get(PATH, 'carrier')).status, 403);
    });
  });
}
