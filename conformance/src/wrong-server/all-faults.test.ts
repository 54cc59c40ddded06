// Every requirement that is tested is broken by a fault: a case that nothing breaks proves nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allAreas } from '../requirements/all.js';
import { allFaults } from './all-faults.js';

test('every requirement is named by a fault that it catches', () => {
  const caught = new Set(allFaults.flatMap(({ caughtBy }) => caughtBy));
  const ids = allAreas.flatMap(({ requirements }) => requirements.map(({ id }) => id));
  assert.deepEqual(
    ids.filter((id) => !caught.has(id)),
    [],
  );
  assert.deepEqual(
    [...caught].filter((id) => !ids.includes(id)),
    [],
  );
});

test('faults have names of their own', () => {
  const names = allFaults.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert(names.length >= 40);
});
