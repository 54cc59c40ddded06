// One row for each presentation, whatever is known of it; and a recorded request as curl sends it again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { ValidationStatus } from '@landfall/client';
import type { Exchange } from '../../playground/exchange.js';
import { exchangeAsCurl } from './as-curl.js';
import { codesOf, documentOf, filterLog, makeLog, readLogView } from './request-log.js';

const ID = '7b0c2f4e-0f5c-4f0e-9a3e-5f6d1b6a2c11';

const presentation = (
  organisation: string,
  status: number | undefined,
  at: string,
  body: object = {},
): Exchange => ({
  startedAt: '2030-01-01T00:00:00.000Z',
  durationMs: 4,
  method: 'POST',
  url: '/api/movement/presentation/v1/container',
  identity: { name: 'carrier', client: 'c', organisation },
  request: {
    headers: [
      { name: 'Host', value: 'localhost' },
      { name: 'Authorization', value: 'Bearer ***' },
      { name: 'X-Note', value: `it's` },
    ],
    body: {
      text: JSON.stringify({
        requestId: ID,
        containerId: `O'X`,
        customsOfficeOfPresentation: 'NO351001',
      }),
    },
  },
  ...(status !== undefined && {
    response: {
      status,
      headers: [{ name: 'date', value: new Date(at).toUTCString() }],
      body: { text: JSON.stringify(body) },
    },
  }),
});

const status: ValidationStatus = {
  requestId: ID,
  status: 'SUCCESS',
  level: 'CONTAINER',
  notificationDate: '2026-11-26T12:00:00.000Z',
  houseConsignments: 1,
};

test('a presentation that was repeated is one row with its status; that of another organisation is another row', () => {
  const exchanges = [
    presentation('one', undefined, '2026-11-26T12:00:00Z'),
    presentation('one', 202, '2026-11-26T12:00:01Z'),
    presentation('two', 400, '2026-11-26T12:00:02Z', {
      validationErrors: [{ field: 'containerId', error: 'is wrong', code: 'FORMAT' }],
    }),
  ];
  const rows = makeLog([status], exchanges, 'one');
  assert.deepEqual(
    rows.map((row) => [row.outcome, row.exchanges.length, documentOf(row), codesOf(row)]),
    [
      ['FAILURE', 1, `O'X`, ['FORMAT', '400']],
      ['SUCCESS', 2, `O'X`, []],
    ],
  );
  // By the clock of the service, not that of the machine.
  assert.equal(rows[0]?.at, '2026-11-26T12:00:02.000Z');
});

test('without a record there is the status, and without a status the record', () => {
  assert.equal(makeLog([status], [], 'one').length, 1);
  const [row] = makeLog([], [presentation('one', 503, '2026-11-26T12:00:00Z')], 'one');
  assert.equal(row?.outcome, 'FAILED');
  const waiting = presentation('one', undefined, '');
  assert.equal(makeLog([], [waiting], 'one')[0]?.outcome, 'NO_RESPONSE');
});

test('every filter leaves rows out, and none leaves the others out', () => {
  const rows = makeLog([status], [presentation('two', 400, '2026-11-26T14:00:00Z')], 'one');
  const shown = (query: string) =>
    filterLog(rows, readLogView(new URLSearchParams(query)), 'UTC', ({ requestId }, text) =>
      (requestId ?? '').includes(text),
    ).map(({ outcome }) => outcome);
  for (const [query, expected] of [
    ['', ['FAILURE', 'SUCCESS']],
    ['outcome=refused', ['FAILURE']],
    ['outcome=accepted', ['SUCCESS']],
    ['level=RECEPTACLE', []],
    ['level=CONTAINER', ['FAILURE', 'SUCCESS']],
    ['code=400', ['FAILURE']],
    ['identity=carrier', ['FAILURE']],
    ['office=no35', ['FAILURE']],
    ['from=2026-11-26T13:00', ['FAILURE']],
    ['to=2026-11-26T13:00', ['SUCCESS']],
    ['filter=7b0c', ['FAILURE', 'SUCCESS']],
    ['filter=nothing', []],
  ] as const) {
    assert.deepEqual(shown(query), expected, query);
  }
});

test('a shell sends the recorded request as it was, with a new token', () => {
  const exchange = presentation('one', 202, '2026-11-26T12:00:00Z');
  const text = exchangeAsCurl(exchange, 'http://localhost:8080', {
    identity: 'carrier',
    dataFolder: '/tmp/my data',
  });
  const [first, ...rest] = text.split('\n');
  assert.equal(
    first,
    `TOKEN=$(npx landfall token create --as carrier --data '/tmp/my data' --raw)`,
  );
  const words = execFileSync(
    '/bin/sh',
    [
      '-c',
      `TOKEN=new; curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${rest.join('\n')}`,
    ],
    { encoding: 'utf8' },
  ).split('\0');
  assert.deepEqual(words.slice(0, -1), [
    ...['-i', '-X', 'POST', '-H', 'Authorization: Bearer new', '-H', `X-Note: it's`],
    ...['--data-binary', exchange.request.body?.text ?? ''],
    'http://localhost:8080/api/movement/presentation/v1/container',
  ]);
});
