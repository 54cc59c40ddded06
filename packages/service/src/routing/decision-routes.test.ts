// Decisions over HTTP: an array or lines, with a result for each decision, from callers with the scope.
import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RoutingDecisionResult, RoutingSignal } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const DECISIONS = '/api/authority/v1/routing-decisions';
const SIGNALS = '/api/movement/routing/v1/house-consignment';

const house = (documentNumber: string, type = 'N740') => ({
  transportDocumentHouseLevel: { documentNumber, type },
});
const toControl = { routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' };
const toEntry = { routing: 'TO_ENTRY' };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`decisions over HTTP on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const results = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RoutingDecisionResult);

    const sendLines = (lines: readonly unknown[], headers: Record<string, string> = {}) =>
      playground.call(DECISIONS, {
        as: 'authority',
        method: 'POST',
        raw: lines
          .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
          .join('\n'),
        headers: { 'content-type': 'application/x-ndjson', ...headers },
      });

    test('the response to an array is an array, and the signal is readable at once', async () => {
      await playground.present('house-consignment', 'carrier', house('HC001'));
      const response = await playground.post(DECISIONS, 'authority', [
        { ...house('HC001'), ...toControl, reason: 'scanned' },
        { ...house('NONE'), ...toEntry },
      ]);
      assert.equal(response.status, 200, response.text);
      const [first, second] = response.body as RoutingDecisionResult[];
      assert.equal(first?.status, 'DECIDED');
      assert.equal(first?.signals, 2);
      assert.deepEqual(second, {
        line: 2,
        status: 'REFUSED',
        validationErrors: [
          {
            field: 'transportDocumentHouseLevel',
            error: 'no such transport document is pre-notified',
            code: 'REFERENCE_NOT_FOUND',
          },
        ],
      });
      const signals = (await playground.get(SIGNALS, 'carrier')).body as RoutingSignal[];
      assert.deepEqual(
        signals.map(({ routingResult }) => routingResult.routing),
        ['TO_ENTRY', 'TO_CONTROL'],
      );
      assert.equal(signals[1]?.routingResult.routingControlLocation, 'AFTER_ENTRY');
    });

    test('the response to lines is lines; an invalid line fails alone and keeps its number', async () => {
      const response = await sendLines([
        { ...house('HC003', 'N714'), ...toEntry },
        '{"routing":',
        '',
        { ...house('HC004', 'N714'), ...toControl, reason: 'a\u0000b' },
        { ...house('HC004', 'N714'), ...toControl },
      ]);
      assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
      assert.deepEqual(
        results(response.text).map(({ line, status, validationErrors = [] }) => [
          line,
          status,
          ...validationErrors.map(({ field }) => field),
        ]),
        [
          [1, 'DECIDED'],
          [2, 'REFUSED', ''],
          [4, 'REFUSED', 'reason'],
          [5, 'DECIDED'],
        ],
      );
    });

    test('Accept determines the form of the response', async () => {
      const lines = [{ ...house('HC003', 'N714'), ...toEntry }];
      const asArray = await sendLines(lines, { accept: 'application/json' });
      assert.deepEqual(asArray.body, [
        {
          line: 1,
          status: 'UNCHANGED',
          houseConsignmentId: (asArray.body as RoutingDecisionResult[])[0]?.houseConsignmentId,
          number: 2,
          signals: 0,
        },
      ]);
      assert.deepEqual((await sendLines([], { accept: 'application/json' })).body, []);
      assert.equal((await sendLines([])).text, '');
      assert.equal((await sendLines(lines, { accept: 'text/html' })).status, 406);
    });

    test('the result of a line is sent before the next line is received', async () => {
      const sent: ((line: string | null) => void)[] = [];
      let ready: () => void = () => undefined;
      const body = new Readable({
        read() {
          sent.push((line) => this.push(line));
          ready();
        },
      });
      const send = async (line: string | null) => {
        while (sent.length === 0) {
          await new Promise<void>((resolve) => {
            ready = resolve;
          });
        }
        sent.shift()?.(line);
      };
      const text = JSON.stringify({ ...house('HC004', 'N714'), ...toControl });
      const responding = fetch(`${playground.playground.baseUrl}${DECISIONS}`, {
        method: 'POST',
        body: Readable.toWeb(body) as ReadableStream,
        duplex: 'half',
        headers: {
          authorization: `Bearer ${await playground.token('authority')}`,
          'content-type': 'application/x-ndjson',
        },
      } as RequestInit);
      await send(`${text}\n`);
      const reader = (await responding).body?.pipeThrough(new TextDecoderStream()).getReader();
      assert(reader);
      for (const line of [1, 2, 3]) {
        const { value = '' } = await reader.read();
        assert.equal(results(value)[0]?.line, line);
        await send(line === 3 ? null : `${text}\n`);
      }
      assert((await reader.read()).done);
    });

    test('a body that is not an array of decisions, or a caller without the scope, is refused as a whole', async () => {
      for (const [body, code] of [
        [{ ...house('HC001'), ...toEntry }, 'FORMAT'],
        [[], 'SIZE'],
        [Array.from({ length: 10_001 }, () => 0), 'SIZE'],
      ] as const) {
        const response = await playground.post(DECISIONS, 'authority', body);
        assert.equal(response.status, 400, response.text);
        assert.equal(
          (response.body as { validationErrors: { code: string }[] }).validationErrors[0]?.code,
          code,
        );
      }
      assert.equal((await playground.post(DECISIONS, 'carrier', [])).status, 403);
      const raw = JSON.stringify([{ ...house('HC001'), ...toEntry }]);
      assert.equal((await playground.call(DECISIONS, { method: 'POST', raw })).status, 401);
      const headers = { 'content-type': 'text/csv' };
      const other = await playground.call(DECISIONS, {
        as: 'authority',
        method: 'POST',
        raw,
        headers,
      });
      assert.equal(other.status, 415);
    });
  });

  test(`after a block no further line is decided, and the last result says so, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    const playground = await TestPlayground.start(database);
    const upload = new PassThrough();
    try {
      await playground.present('house-consignment', 'carrier', house('HC001'));
      const responding = fetch(`${playground.playground.baseUrl}${DECISIONS}`, {
        method: 'POST',
        body: Readable.toWeb(upload) as ReadableStream,
        duplex: 'half',
        headers: {
          authorization: `Bearer ${await playground.token('authority')}`,
          'content-type': 'application/x-ndjson',
        },
      } as RequestInit);
      upload.write(`${JSON.stringify({ ...house('HC001'), ...toControl })}\n`);
      const response = await responding;
      // As another server on this database does.
      await database.query({
        name: '',
        text: 'update organisation set blocked = true where identifier = $1',
        values: [playground.credentials('authority').organisation],
      });
      // A check may be a second old.
      await delay(1500);
      upload.write(`${JSON.stringify({ ...house('HC001'), ...toEntry })}\n`);
      const lines = (await response.text()).trimEnd().split('\n');
      const [first, last, ...others] = lines.map(
        (line) => JSON.parse(line) as RoutingDecisionResult,
      );
      assert.equal(first?.status, 'DECIDED');
      assert.deepEqual([last?.line, last?.status], [2, 'REFUSED']);
      assert.equal(last?.validationErrors?.[0]?.code, 'ACCESS_ENDED');
      assert.deepEqual(others, []);
      const signals = (await playground.get(SIGNALS, 'carrier')).body as RoutingSignal[];
      assert.match(JSON.stringify(signals.at(-1)), /TO_CONTROL/);
    } finally {
      upload.destroy();
      await playground.close();
    }
  });
}
