// What a request to a hosted playground is for does not depend on how its address is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { readUrl } from '../control-path.js';
import { findTarget, isReset, isStoring } from './find-target.js';

const addresses = [
  '/spaces/space-1/api/movement/road/v2/presentation',
  '/spaces/space-1/console/',
  '/spaces/space-1/playground/reset?snapshot=one',
  '/playground/reset',
  '/playground/spaces',
  '/console/api/api/feed?after=1',
];

/** An address with one of its characters written with a percent sign. */
function* otherSpellings(address: string): Generator<string> {
  for (const [index, character] of [...address].entries()) {
    if (!/[\w.~-]/.test(character)) continue;
    const code = character.charCodeAt(0).toString(16);
    for (const written of [code.toLowerCase(), code.toUpperCase()]) {
      yield `${address.slice(0, index)}%${written}${address.slice(index + 1)}`;
    }
  }
}

function judge(url: string) {
  const target = findTarget(readUrl({ url }), () => 'space-2');
  if (target === undefined) return undefined;
  const request = { method: 'POST' } as Parameters<typeof isReset>[0];
  return { ...target, reset: isReset(request, target), storing: isStoring(request, target) };
}

for (const address of addresses) {
  test(`${address} is the same with percent signs`, () => {
    const expected = judge(address);
    for (const spelling of otherSpellings(address)) {
      assert.deepEqual(judge(spelling), expected, spelling);
    }
  });
}

test('what is no address does not become one', async () => {
  const app = fastify();
  app.get('/api/feed', async () => 'found');
  const wrong = [
    '/%2561pi/feed',
    '/%%361pi/feed',
    '/%6%31pi/feed',
    '/%%36%31pi/feed',
    '/%25%36%31pi/feed',
  ];
  for (const url of wrong) {
    const { statusCode } = await app.inject(readUrl({ url }));
    assert.notEqual(statusCode, 200, url);
  }
  assert.equal((await app.inject(readUrl({ url: '/%61pi/feed' }))).statusCode, 200);
});
