// Requests that a cookie authenticates have no token, and a refusal is not repeated with another one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { Landfall } from '../landfall.js';

test('without tokens, a call has no Authorization and is sent once', async () => {
  const sent: Headers[] = [];
  const landfall = new Landfall({
    baseUrl: 'https://customs.example/console/api',
    tokens: 'cookie',
    fetch: async (address, init) => {
      assert.equal(
        address,
        'https://customs.example/console/api/api/movement/routing/v1/house-consignment',
      );
      sent.push(new Headers(init?.headers));
      return sent.length === 1 ? Response.json([]) : new Response(null, { status: 401 });
    },
  });
  assert.deepEqual((await landfall.routingSignals()).entries, []);
  await assert.rejects(
    landfall.routingSignals(),
    (error) => error instanceof ApiError && error.status === 401,
  );
  assert.equal(sent.length, 2);
  assert(sent.every((headers) => !headers.has('authorization')));
});
