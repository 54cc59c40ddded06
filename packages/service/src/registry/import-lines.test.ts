// Registering line by line over HTTP: results in order while lines still come, a bad line by itself, sent again the same.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { compileCheck, RegistrationResult } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { testDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const base = '/api/authority/v1/entry-summary-declarations';
const NDJSON = 'application/x-ndjson';
const check = compileCheck<RegistrationResult>(RegistrationResult);

const house = (documentNumber: string, more: object = {}) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
  ...more,
});
const declaration = (mrn: string, houseConsignments: readonly object[] = [], more = {}) => ({
  mrn,
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000019',
  houseConsignments,
  ...more,
});
const houseLine = (mrn: string, houseConsignment: object) => ({ mrn, houseConsignment });

function readResults(text: string): RegistrationResult[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const checked = check(JSON.parse(line));
      assert(checked.valid, line);
      return checked.value;
    });
}

for (const { name, skip, open } of await testDatabases()) {
  describe(`an upload of lines on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let last = 0;

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    const nextMrn = () => `26NO${String(++last).padStart(14, '0')}`;
    const post = async (lines: readonly unknown[] | Uint8Array<ArrayBuffer>) => {
      const answer = await playground.call(base, {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': NDJSON },
        raw:
          lines instanceof Uint8Array
            ? lines
            : lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), NDJSON);
      return readResults(answer.text);
    };
    const statuses = (results: readonly RegistrationResult[]) =>
      results.map(({ line, status }) => `${line} ${status}`);
    const count = async (text: string): Promise<number> => {
      const [row] = await database.query<{ count: number }>({ name: '', text, values: [] });
      return Number(row?.count);
    };
    const changes = () =>
      database.query({
        name: 'test-registry-changes',
        text: `select (select count(*) from registration) as registrations, (select count(*) from audit_record) as records,
        (select array_agg(xmin::text order by id) from house_consignment) as houses,
        (select array_agg(xmax::text order by id) from house_consignment where false) as none`,
        values: [],
      });
    const present = (documentNumber: string, mrn: string) =>
      playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        mrn,
      });

    /** An upload that is written bit by bit. */
    const open_ = async (): Promise<{
      sent: ClientRequest;
      answered: Promise<IncomingMessage>;
    }> => {
      const sent = httpRequest(`${playground.playground.baseUrl}${base}`, {
        method: 'POST',
        headers: {
          'content-type': NDJSON,
          authorization: `Bearer ${await playground.token('authority')}`,
        },
      });
      const answered = once(sent, 'response').then(([answer]) => answer as IncomingMessage);
      sent.flushHeaders();
      return { sent, answered };
    };

    test('declarations and house consignments come in any mixture, and the same again changes nothing', async () => {
      const [one, two] = [nextMrn(), nextMrn()];
      const packed = {
        containerId: ['JARU0000010'],
        harmonizedSystemSubheadingCode: ['030214', '640399'],
      };
      const lines = [
        declaration(one),
        houseLine(one, house('M1', { routing: 'TO_ENTRY' })),
        declaration(two, [house('M1'), house('M2')]),
        houseLine(one, house('M2', packed)),
      ];
      const results = await post(lines);
      assert.deepEqual(statuses(results), [
        '1 REGISTERED',
        '2 REGISTERED',
        '3 REGISTERED',
        '4 REGISTERED',
      ]);
      assert.deepEqual(results[2]?.houseConsignments, {
        added: 2,
        changed: 0,
        removed: 0,
        unchanged: 0,
      });
      const stood = await changes();
      assert.deepEqual(
        (await post(lines)).map(({ status }) => status),
        Array(4).fill('UNCHANGED'),
      );
      assert.deepEqual(await changes(), stood);
      const read = await playground.get(`${base}/${one}`, 'authority');
      assert.deepEqual((read.body as { houseConsignments: unknown }).houseConsignments, [
        house('M1', { routing: 'TO_ENTRY' }),
        house('M2', packed),
      ]);
    });

    test('lines about the same thing apply in their order', async () => {
      const mrn = nextMrn();
      const results = await post([
        declaration(mrn, [house('O1')]),
        declaration(mrn, [house('O2')]),
        houseLine(mrn, house('O3')),
        houseLine(mrn, house('O3', { routing: 'TO_ENTRY' })),
        declaration(mrn, [], { estimatedTimeOfArrival: '2026-11-21T10:00:00Z' }),
        houseLine(mrn, house('O4')),
        declaration(mrn, [], { estimatedTimeOfArrival: '2026-11-21T11:00:00Z' }),
      ]);
      assert.deepEqual(statuses(results), [
        '1 REGISTERED',
        '2 CHANGED',
        '3 REGISTERED',
        '4 CHANGED',
        '5 CHANGED',
        '6 REGISTERED',
        '7 CHANGED',
      ]);
      assert.deepEqual(results[1]?.houseConsignments, {
        added: 1,
        changed: 0,
        removed: 1,
        unchanged: 0,
      });
      assert.deepEqual(results[6]?.changed, ['estimatedTimeOfArrival']);
      for (const document of ['O2', 'O3', 'O4']) await present(document, mrn);
      assert.equal((await present('O1', mrn)).status, 400);
      const heads = await count(`select count(*) from house_consignment
        where ens_id = (select id from entry_summary_declaration where mrn = '${mrn}')
          and signal_head like '%2026-11-21T11:00:00.000Z%'`);
      assert.equal(heads, 3);
    });

    test('a bad line is told with its number and spoils no other', async () => {
      const mrn = nextMrn();
      const bytes = Buffer.concat([
        Buffer.from(`${JSON.stringify(declaration(mrn))}\n\n`),
        Buffer.from('{"mrn":\n'),
        Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
        Buffer.from(`{"mrn":"${'x'.repeat(1_100_000)}"}\n`),
        Buffer.from('[]\n17\nnull\n{}\n'),
        Buffer.from(`${JSON.stringify(houseLine(mrn, house('x'.repeat(71))))}\n`),
        Buffer.from(`${JSON.stringify(houseLine('26NO99999999999999', house('B1')))}\n`),
        Buffer.from(`${JSON.stringify(houseLine(mrn, house('B2\u0000')))}\n`),
        Buffer.from(`${JSON.stringify(houseLine(mrn, house('B3')))}\r\n`),
        Buffer.from(JSON.stringify(houseLine(mrn, house('B4')))),
      ]);
      const results = await post(new Uint8Array(bytes));
      assert.deepEqual(statuses(results), [
        '1 REGISTERED',
        '3 REFUSED',
        '4 REFUSED',
        '5 REFUSED',
        '6 REFUSED',
        '7 REFUSED',
        '8 REFUSED',
        '9 REFUSED',
        '10 REFUSED',
        '11 REFUSED',
        '12 REFUSED',
        '13 REGISTERED',
        '14 REGISTERED',
      ]);
      assert.deepEqual(
        results
          .filter(({ line }) => [4, 5, 10, 11].includes(line))
          .map(({ validationErrors: [error] = [] }) => `${error?.field} ${error?.code}`),
        [
          ' FORMAT',
          ' SIZE',
          'houseConsignment.transportDocumentHouseLevel.documentNumber SIZE',
          'mrn REFERENCE_NOT_FOUND',
        ],
      );
    });

    test('what contradicts a presentation is refused by line', async () => {
      const mrn = nextMrn();
      await post([declaration(mrn), houseLine(mrn, house('C1')), houseLine(mrn, house('C2'))]);
      assert.equal((await present('C1', mrn)).status, 202);
      const results = await post([
        houseLine(mrn, house('C1', { receptacleId: 'GBASFZMLBKONAUN30001001019999' })),
        houseLine(mrn, house('C2', { receptacleId: 'GBASFZMLBKONAUN30001001019999' })),
        houseLine(mrn, house('C3')),
        declaration(mrn, [], { representative: '0192:310000027' }),
        houseLine(mrn, house('C1')),
      ]);
      assert.deepEqual(statuses(results), [
        '1 REFUSED',
        '2 CHANGED',
        '3 REGISTERED',
        '4 REFUSED',
        '5 UNCHANGED',
      ]);
      assert.deepEqual(
        results.flatMap(({ validationErrors = [] }) =>
          validationErrors.map(({ field, code }) => `${field} ${code}`),
        ),
        ['houseConsignment.receptacleId PRESENTED', 'representative PRESENTED'],
      );
    });

    test('results come while lines are still sent', async () => {
      const mrn = nextMrn();
      const { sent, answered } = await open_();
      sent.write(`${JSON.stringify(declaration(mrn))}\n`);
      const answer = await answered;
      const results = createInterface({ input: answer })[Symbol.asyncIterator]();
      assert.match(String((await results.next()).value), /"line":1.*REGISTERED/);
      for (let line = 2; line < 5; line++) {
        sent.write(`${JSON.stringify(houseLine(mrn, house(`S${line}`)))}\n`);
        assert.match(
          String((await results.next()).value),
          new RegExp(`"line":${line}.*REGISTERED`),
        );
      }
      sent.end();
      assert.equal((await results.next()).done, true);
    });

    test('who reads only after having sent everything is answered whole', async () => {
      const mrn = nextMrn();
      const { sent, answered } = await open_();
      sent.write(`${JSON.stringify(declaration(mrn))}\n`);
      // More results than the buffers of two sockets hold: each of these lines is refused at length.
      const bad = `${JSON.stringify({ mrn, houseConsignment: { transportDocumentHouseLevel: {}, transportDocumentMasterLevel: {} } })}\n`;
      const lines = 30_000;
      for (let line = 0; line < lines; line += 1000) {
        if (!sent.write(bad.repeat(1000))) await once(sent, 'drain');
      }
      await new Promise<void>((resolve) => sent.end(resolve));
      const answer = await answered;
      let told = 0;
      for await (const line of createInterface({ input: answer })) {
        told++;
        assert(line.startsWith(`{"line":${told},`), line);
      }
      assert.equal(told, lines + 1);
    });

    test('an upload that breaks off keeps what is committed, and can be sent again', async () => {
      const mrn = nextMrn();
      const { sent, answered } = await open_();
      sent.on('error', () => undefined);
      sent.write(`${JSON.stringify(declaration(mrn))}\n{"mrn":"${mrn}","hou`);
      const answer = await answered;
      await once(answer, 'data');
      answer.on('error', () => undefined);
      sent.destroy();
      const again = await post([declaration(mrn), houseLine(mrn, house('D1'))]);
      assert.deepEqual(statuses(again), ['1 UNCHANGED', '2 REGISTERED']);
    });

    test('nothing, another media type and a missing scope are refused as a whole', async () => {
      const call = (as: string, headers: Record<string, string>, raw?: string) =>
        playground.call(base, {
          as,
          method: 'POST',
          headers,
          ...(raw === undefined ? {} : { raw }),
        });
      assert.equal((await call('authority', {})).status, 400);
      assert.equal(
        (await call('authority', { 'content-type': 'application/json' }, '{}')).status,
        415,
      );
      assert.equal((await call('carrier', { 'content-type': NDJSON }, '{}\n')).status, 403);
      assert.deepEqual(await post(new Uint8Array(Buffer.from('\n\n'))), []);
    });
  });
}
