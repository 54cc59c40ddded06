// Which recorded requests have a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOfExchange, type Exchange, hasText } from './exchange.js';

const exchange: Exchange = {
  startedAt: '2026-11-26T12:00:00.000Z',
  method: 'POST',
  url: '/api/x?y=1',
  request: {
    headers: [{ name: 'accept', value: 'text/csv' }],
    body: { text: '{"requestId":"AB-1"}' },
  },
  response: {
    status: 503,
    headers: [{ name: 'x-request-id', value: '0192-abc' }],
    body: { text: '{"instance":"0192-ABC"}' },
  },
};

test('a recorded request is found by its address, status, headers and bodies', () => {
  for (const text of ['post /API', '503', 'text/csv', 'ab-1', ' 0192-abc ', 'instance']) {
    assert(hasText(exchange, text), text);
  }
  const { response: _, ...inProgress } = exchange;
  for (const text of ['503', '0192-abc', 'nothing']) assert(!hasText(inProgress, text), text);
});

test('the address of a recorded request names it', () => {
  assert.equal(
    addressOfExchange(exchange),
    '/requests?request=2026-11-26T12%3A00%3A00.000Z%20POST%20%2Fapi%2Fx%3Fy%3D1',
  );
});
