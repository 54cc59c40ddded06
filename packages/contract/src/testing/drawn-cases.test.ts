import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBySeed } from './drawn-cases.js';

const cases = Array.from({ length: 40 }, (_, index) => index);

test('a run draws the same cases for the same seed, in their order, and others for another one', () => {
  const drawn = drawBySeed('1', 'list', cases, 10);
  assert.equal(drawn.length, 10);
  assert.deepEqual(drawn, drawBySeed('1', 'list', cases, 10));
  assert.deepEqual(
    drawn,
    drawn.toSorted((one, other) => one - other),
  );
  assert.notDeepEqual(drawn, drawBySeed('2', 'list', cases, 10));
  assert.notDeepEqual(drawn, drawBySeed('1', 'another list', cases, 10));
});

test('every case is drawn within some runs', () => {
  const found = new Set<number>();
  for (let seed = 0; seed < 60; seed++) {
    for (const one of drawBySeed(String(seed), 'list', cases, 10)) found.add(one);
  }
  assert.equal(found.size, cases.length);
});

test('without a seed, and of a short list, all cases are tested', () => {
  assert.deepEqual(drawBySeed(undefined, 'list', cases, 10), cases);
  assert.deepEqual(drawBySeed('1', 'list', cases, 40), cases);
});
