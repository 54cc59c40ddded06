// New ids are in the order in which they were made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './new-id.js';

test('an id sorts after the ones made before it, also within a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, ids.length);
});
