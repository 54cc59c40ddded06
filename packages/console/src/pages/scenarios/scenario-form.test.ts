import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScenario, membersOf } from './scenario-form.js';

const kind = {
  kind: 'refusal',
  effect: '',
  client: '',
  schema: {
    properties: {
      kind: {},
      times: { type: 'integer' as const },
      identity: { type: 'string' as const },
      code: { enum: ['FORMAT'] },
      committed: { type: 'boolean' as const },
    },
  },
};

test('the members of the kind come first, then those of every kind', () => {
  assert.deepEqual(
    membersOf(kind).map(([name]) => name),
    ['code', 'committed', 'identity', 'times'],
  );
});

test('what was not entered is left out, and values have the types of the schema', () => {
  assert.deepEqual(
    makeScenario(kind, {
      code: 'FORMAT',
      committed: 'false',
      identity: ' ',
      times: ' 2 ',
      other: 'x',
    }),
    { kind: 'refusal', code: 'FORMAT', committed: false, times: 2 },
  );
});

test('a number that cannot be read is sent as it was entered', () => {
  assert.equal(makeScenario(kind, { times: '2.5' }).times, '2.5');
});
