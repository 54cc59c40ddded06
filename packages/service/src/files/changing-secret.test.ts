// A secret that changes while it is used.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangingSecret, SECRET_MAX_AGE_MS } from './changing-secret.js';

function makeSecret() {
  const state = { now: 0, reads: 0, next: 'first' as string | Error, warnings: [] as string[] };
  const secret = new ChangingSecret(
    'first',
    async () => {
      state.reads++;
      if (state.next instanceof Error) throw state.next;
      return state.next;
    },
    (sentence) => state.warnings.push(sentence),
    () => state.now,
  );
  return { secret, state };
}

test('is read again when it is used, at most every five seconds', async () => {
  const { secret, state } = makeSecret();
  state.next = 'second';
  assert.equal(await secret.current(), 'first');
  assert.equal(state.reads, 0);
  state.now = SECRET_MAX_AGE_MS;
  assert.equal(await secret.current(), 'second');
  assert.equal(await secret.current(), 'second');
  assert.equal(state.reads, 1);
  assert.deepEqual(secret.known, ['second', 'first']);
});

test('that cannot be read leaves the last one in use, and is reported once for each reason', async () => {
  const { secret, state } = makeSecret();
  const later = () => {
    state.now += SECRET_MAX_AGE_MS;
    return secret.current();
  };
  for (const reason of ['not there', 'not there', 'empty']) {
    state.next = new Error(reason);
    assert.equal(await later(), 'first');
  }
  assert.deepEqual(state.warnings, [
    'the secret that was read before is still in use: not there',
    'the secret that was read before is still in use: empty',
  ]);
  state.next = 'second';
  assert.equal(await later(), 'second');
  state.next = new Error('empty');
  await later();
  assert.equal(state.warnings.length, 3);
});
