// What a client of the command accepts of results that decide its exit code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedToken, UnexpectedResponseError } from '@landfall/client';
import { CheckedLandfall } from './checked-landfall.js';

const decision = {
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  routing: 'TO_ENTRY',
} as const;

/** A client whose service responds with these lines. */
function clientOf(...lines: object[]): CheckedLandfall {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return new CheckedLandfall({
    baseUrl: 'http://localhost:1',
    tokens: fixedToken('a'),
    fetch: async () => new Response(text),
  });
}

const post = async (client: CheckedLandfall) =>
  (await client.postRoutingDecisions([decision])).toArray();

test('a line with a status that is not known is no success', async () => {
  const decided = { line: 1, status: 'DECIDED', signals: 0 };
  assert.deepEqual(await post(clientOf(decided)), [decided]);
  await assert.rejects(post(clientOf({ ...decided, status: 'POSTPONED' })), (error) => {
    assert(error instanceof UnexpectedResponseError);
    assert.match(error.message, /status POSTPONED, which this version does not know/);
    return error.outcomeUnknown;
  });
});

test('the lines before one that is odd are handed out', async () => {
  const decided = { line: 1, status: 'DECIDED', signals: 0 };
  const found: unknown[] = [];
  await assert.rejects(async () => {
    for await (const line of await clientOf(decided, { line: 2 }).postRoutingDecisions([
      decision,
    ])) {
      found.push(line);
    }
  }, /member "status" is missing/);
  assert.deepEqual(found, [decided]);
});
