// Uploading lines over HTTP: results in order while lines are still sent, each line refused by itself, and uploads that
// are repeated or interrupted.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import {
  compileCheck,
  type EntrySummaryDeclarationEntry,
  type PreNotifiedHouseConsignment,
  RegistrationResult,
} from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { DECLARATIONS, declaration, house, TestRegistry } from '../testing/registry-client.js';

const NDJSON = 'application/x-ndjson';
const check = compileCheck<RegistrationResult>(RegistrationResult);

const declarationLine = (
  mrn: string,
  houses: PreNotifiedHouseConsignment[] = [],
  more: Partial<EntrySummaryDeclarationEntry> = {},
) => ({ mrn, ...declaration(houses, more) });
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

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`an upload of lines on ${name}`, { skip }, () => {
    let registry: TestRegistry;

    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    const post = async (lines: readonly unknown[] | Uint8Array<ArrayBuffer>) => {
      const response = await registry.playground.call(DECLARATIONS, {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': NDJSON },
        raw:
          lines instanceof Uint8Array
            ? lines
            : lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      });
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers.get('content-type'), NDJSON);
      return readResults(response.text);
    };
    const statuses = (results: readonly RegistrationResult[]) =>
      results.map(({ line, status }) => `${line} ${status}`);
    /** Begins an upload whose lines are written one after the other. */
    const beginUpload = async (): Promise<{
      sent: ClientRequest;
      responded: Promise<IncomingMessage>;
    }> => {
      const sent = httpRequest(`${registry.playground.playground.baseUrl}${DECLARATIONS}`, {
        method: 'POST',
        headers: {
          'content-type': NDJSON,
          authorization: `Bearer ${await registry.playground.token('authority')}`,
        },
      });
      // The cast is true because this is the event's argument.
      const responded = once(sent, 'response').then(([response]) => response as IncomingMessage);
      sent.flushHeaders();
      return { sent, responded };
    };

    test('declarations and house consignments are registered in any mixture, and uploading them again writes nothing', async () => {
      const [one, two] = [registry.nextMrn(), registry.nextMrn()];
      const packed = {
        containerId: ['JARU0000010'],
        harmonizedSystemSubheadingCode: ['030214', '640399'],
      };
      const lines = [
        declarationLine(one),
        houseLine(one, house('M1', { routing: 'TO_ENTRY' })),
        declarationLine(two, [house('M1'), house('M2')]),
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
      const before = await registry.snapshot();
      assert.deepEqual(
        (await post(lines)).map(({ status }) => status),
        Array(4).fill('UNCHANGED'),
      );
      assert.deepEqual(await registry.snapshot(), before);
      const read = await registry.playground.get(`${DECLARATIONS}/${one}`, 'authority');
      assert.deepEqual((read.body as { houseConsignments: unknown }).houseConsignments, [
        house('M1', { routing: 'TO_ENTRY' }),
        house('M2', packed),
      ]);
    });

    test('lines about the same data apply in their order', async () => {
      const mrn = registry.nextMrn();
      const results = await post([
        declarationLine(mrn, [house('O1')]),
        declarationLine(mrn, [house('O2')]),
        houseLine(mrn, house('O3')),
        houseLine(mrn, house('O3', { routing: 'TO_ENTRY' })),
        declarationLine(mrn, [], { estimatedTimeOfArrival: '2026-11-21T10:00:00Z' }),
        houseLine(mrn, house('O4')),
        declarationLine(mrn, [], { estimatedTimeOfArrival: '2026-11-21T11:00:00Z' }),
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
      for (const document of ['O2', 'O3', 'O4']) await registry.present(document, mrn);
      assert.equal((await registry.present('O1', mrn)).status, 400);
      const heads = await registry.database.query({
        name: 'test-heads',
        text: `select from house_consignment
          where ens_id = (select id from entry_summary_declaration where mrn = $1)
            and signal_head like '%2026-11-21T11:00:00.000Z%'`,
        values: [mrn],
      });
      assert.equal(heads.length, 3);
    });

    test('an invalid line is refused with its number, and the others are registered', async () => {
      const mrn = registry.nextMrn();
      const bytes = Buffer.concat([
        Buffer.from(`${JSON.stringify(declarationLine(mrn))}\n\n`),
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

    test('a line that conflicts with a presentation is refused, and the others are registered', async () => {
      const mrn = registry.nextMrn();
      await post([declarationLine(mrn), houseLine(mrn, house('C1')), houseLine(mrn, house('C2'))]);
      assert.equal((await registry.present('C1', mrn)).status, 202);
      const results = await post([
        houseLine(mrn, house('C1', { receptacleId: 'GBASFZMLBKONAUN30001001019999' })),
        houseLine(mrn, house('C2', { receptacleId: 'GBASFZMLBKONAUN30001001019999' })),
        houseLine(mrn, house('C3')),
        declarationLine(mrn, [], { representative: '0192:310000027' }),
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

    test('results are sent while lines are still received', async () => {
      const mrn = registry.nextMrn();
      const { sent, responded } = await beginUpload();
      sent.write(`${JSON.stringify(declarationLine(mrn))}\n`);
      const response = await responded;
      const results = createInterface({ input: response })[Symbol.asyncIterator]();
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

    test('a client that reads only after sending everything gets every result', async () => {
      const mrn = registry.nextMrn();
      const { sent, responded } = await beginUpload();
      sent.write(`${JSON.stringify(declarationLine(mrn))}\n`);
      // The results exceed the buffers of both sockets: each of these lines is refused with several errors.
      const bad = `${JSON.stringify({ mrn, houseConsignment: { transportDocumentHouseLevel: {}, transportDocumentMasterLevel: {} } })}\n`;
      const lines = 30_000;
      for (let line = 0; line < lines; line += 1000) {
        if (!sent.write(bad.repeat(1000))) await once(sent, 'drain');
      }
      await new Promise<void>((resolve) => sent.end(resolve));
      const response = await responded;
      let results = 0;
      for await (const line of createInterface({ input: response })) {
        results++;
        assert(line.startsWith(`{"line":${results},`), line);
      }
      assert.equal(results, lines + 1);
    });

    test('an interrupted upload keeps what is committed, and can be repeated', async () => {
      const mrn = registry.nextMrn();
      const { sent, responded } = await beginUpload();
      sent.on('error', () => undefined);
      sent.write(`${JSON.stringify(declarationLine(mrn))}\n{"mrn":"${mrn}","hou`);
      const response = await responded;
      await once(response, 'data');
      response.on('error', () => undefined);
      sent.destroy();
      const again = await post([declarationLine(mrn), houseLine(mrn, house('D1'))]);
      assert.deepEqual(statuses(again), ['1 UNCHANGED', '2 REGISTERED']);
    });

    test('a missing body, another media type and a missing scope are refused as a whole', async () => {
      const call = (as: string, headers: Record<string, string>, raw?: string) =>
        registry.playground.call(DECLARATIONS, {
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
