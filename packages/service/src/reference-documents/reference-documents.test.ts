// Reference documents over HTTP: the last line of a document counts, each line is refused by itself, and what was registered
// is found page by page.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KeptReferenceDocument, ReferenceDocumentResult } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const PATH = '/api/authority/v1/reference-documents';
const NDJSON = 'application/x-ndjson';

const transit = (referenceNumber: string, state = 'VALID') => ({
  kind: 'N820',
  referenceNumber,
  state,
});
const declaration = (declarantNumber: string, sequenceNumber: string, state = 'VALID') => ({
  kind: 'CUDE',
  declarantNumber,
  declarationDate: '2026-05-04',
  sequenceNumber,
  state,
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`reference documents on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    const post = async (lines: readonly unknown[] | string): Promise<ReferenceDocumentResult[]> => {
      const raw =
        typeof lines === 'string'
          ? lines
          : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const response = await playground.call(PATH, {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': NDJSON },
        raw,
      });
      assert.equal(response.status, 200, response.text);
      return response.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    };
    const statuses = (results: readonly ReferenceDocumentResult[]) =>
      results.map(({ line, status }) => `${line} ${status}`);
    const find = async (query: Record<string, string>) => {
      const response = await playground.get(`${PATH}?${new URLSearchParams(query)}`, 'authority');
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return { found: response.body as KeptReferenceDocument[], headers: response.headers };
    };
    const stateOf = async (reference: string) => {
      const { found } = await find({ reference });
      return found.map(({ state }) => state);
    };
    const read = async <Row extends object>(text: string) => {
      const [row] = await database.query<Row>({ name: '', text, values: [] });
      assert(row);
      return row;
    };
    const records = async () => {
      const { count } = await read<{ count: number }>(
        `select count(*) from audit_record where entry like '%"action":"reference-documents.registered"%'`,
      );
      return count;
    };

    test('the last line of a document counts, however its number is spelled', async () => {
      const results = await post([
        transit('A1'),
        transit('A2', 'INVALID'),
        transit(' a1 ', 'INVALID'),
        transit('A1', 'INVALID'),
        declaration('100000001', '7'),
        declaration('100000001', '007'),
        transit('A1'),
      ]);
      assert.deepEqual(statuses(results), [
        '1 REGISTERED',
        '2 REGISTERED',
        '3 CHANGED',
        '4 UNCHANGED',
        '5 REGISTERED',
        '6 UNCHANGED',
        '7 CHANGED',
      ]);
      assert.equal(results[5]?.reference, '100000001-04052026-7');
      assert.deepEqual(await stateOf('A1'), ['VALID']);
      assert.deepEqual(await stateOf('A2'), ['INVALID']);
      assert.deepEqual(statuses(await post([transit('A1', 'INVALID')])), ['1 CHANGED']);
      assert.deepEqual(await stateOf('A1'), ['INVALID']);
    });

    test('the same documents again write nothing; what changes is in the audit trail', async () => {
      const lines = Array.from({ length: 4500 }, (_, index) => transit(`B${index}`));
      const recorded = await records();
      assert(statuses(await post(lines)).every((status) => status.endsWith(' REGISTERED')));
      // A record for each block of 2,000.
      const blocks = (await records()) - recorded;
      assert(blocks >= 3, String(blocks));
      const versions = () =>
        read<{ rows: string; records: number }>(
          `select md5(string_agg(d.xmin::text || d::text, ',' order by kind, reference)) as rows,
            (select count(*) from audit_record where entry like '%reference-documents%') as records
          from reference_document d`,
        );
      const before = await versions();
      assert(statuses(await post(lines)).every((status) => status.endsWith(' UNCHANGED')));
      assert.deepEqual(await versions(), before);
      await post([...lines.slice(0, 10), transit('B10', 'INVALID')]);
      const { entry } = await read<{ entry: string }>(
        `select entry from audit_record where entry like '%"action":"reference-documents.registered"%'
          order by recorded_at desc limit 1`,
      );
      assert.match(entry, /"details":\{"documents":1,"invalid":1/);
      assert.match(entry, /"client":"/);
      const [kept] = (await find({ reference: 'B10', limit: '1' })).found;
      assert(kept && kept.changedAt > kept.registeredAt, JSON.stringify(kept));
    });

    test('a line that breaks a rule is refused by itself', async () => {
      const results = await post(
        [
          JSON.stringify(transit('C1')),
          '{',
          JSON.stringify({ ...transit('C2'), state: 'valid' }),
          '',
          '{"kind":"N820","kind":"VOEC","referenceNumber":"C3","state":"VALID"}',
          JSON.stringify({ kind: 'CUDE', referenceNumber: 'C4', state: 'VALID' }),
          JSON.stringify(transit('x'.repeat(70_000))),
          JSON.stringify(transit('C5')),
        ].join('\n'),
      );
      assert.deepEqual(
        results.map(({ line, status, validationErrors = [] }) =>
          [line, status, ...validationErrors.map(({ field, code }) => `${field} ${code}`)].join(
            ' ',
          ),
        ),
        [
          '1 REGISTERED',
          '2 REFUSED  FORMAT',
          '3 REFUSED state UNKNOWN_CODE',
          '5 REFUSED kind FORMAT',
          '6 REFUSED declarantNumber REQUIRED declarationDate REQUIRED sequenceNumber REQUIRED referenceNumber UNKNOWN_MEMBER',
          '7 REFUSED  SIZE',
          '8 REGISTERED',
        ],
      );
    });

    test('documents are found by kind and by the beginning of their reference, page by page', async () => {
      await post([
        ...['D3', 'D1', 'D2'].map((reference) => transit(reference)),
        { ...transit('D1'), kind: 'VOEC' },
        { ...transit('d%_'), kind: 'AES_EXPORT' },
        declaration('200000001', '12'),
        declaration('200000001', '2', 'INVALID'),
        declaration('200000002', '1'),
      ]);
      const names = ({ found }: { found: KeptReferenceDocument[] }) =>
        found.map(({ kind, reference, state }) => `${kind} ${reference} ${state}`);
      const all = [
        'AES_EXPORT D%_ VALID',
        'N820 D1 VALID',
        'N820 D2 VALID',
        'N820 D3 VALID',
        'VOEC D1 VALID',
      ];
      assert.deepEqual(names(await find({ reference: 'd' })), all);
      assert.deepEqual(names(await find({ reference: 'D', kind: 'VOEC' })), ['VOEC D1 VALID']);
      assert.deepEqual(names(await find({ reference: '%' })), []);
      const declarations = await find({ reference: '200000001-' });
      assert.deepEqual(names(declarations), [
        'CUDE 200000001-04052026-12 VALID',
        'CUDE 200000001-04052026-2 INVALID',
      ]);
      const { registeredAt, changedAt, reference, ...sent } = declarations.found[1] ?? {};
      assert.deepEqual(sent, declaration('200000001', '2', 'INVALID'));

      const pages: string[] = [];
      let query: Record<string, string> = { reference: 'D', limit: '2' };
      for (;;) {
        const page = await find(query);
        pages.push(...names(page));
        assert.equal(page.headers.get('landfall-count'), String(page.found.length));
        const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
        if (next === undefined) break;
        assert(pages.length < all.length, 'the pages do not end');
        query = Object.fromEntries(new URL(next).searchParams);
      }
      assert.deepEqual(pages, all);
    });

    test('what is found as lines can be registered again as it is', async () => {
      await post([transit('E1'), declaration('300000001', '1', 'INVALID')]);
      const response = await playground.get(PATH, 'authority', { accept: NDJSON });
      assert.match(response.headers.get('content-type') ?? '', /^application\/x-ndjson/);
      const results = await post(response.text);
      assert(results.length > 1 && results.every(({ status }) => status === 'UNCHANGED'));
    });

    test('only the authority registers and finds documents, and queries are checked', async () => {
      for (const method of ['GET', 'POST']) {
        const sent = method === 'GET' ? {} : { raw: '{}\n', headers: { 'content-type': NDJSON } };
        assert.equal((await playground.call(PATH, { method, ...sent, as: 'carrier' })).status, 403);
      }
      for (const query of ['kind=X', 'marker=N820', 'marker=X:1', 'limit=0', 'state=VALID']) {
        const response = await playground.get(`${PATH}?${query}`, 'authority');
        assert.equal(response.status, 400, query);
      }
    });
  });
}
