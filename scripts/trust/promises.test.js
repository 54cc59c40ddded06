// The list of promises: each has checks, and each check is one that can be run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../../faults/scenarios.js';
import { findTests } from '../find-tests.js';
import { promises } from './promises.js';
import { nameOf, readResults } from './results.js';

const all = Object.values(promises).flat();
const checks = all.flatMap((each) => each.checks);

test('every promise has an id of its own, and at least one check', () => {
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  assert.deepEqual(
    all.filter((each) => each.checks.length === 0),
    [],
  );
});

test('every check names tests or a scenario that are there', () => {
  const missing = checks.filter((check) =>
    'tests' in check ? findTests([check.tests]).length === 0 : !(check.faults in scenarios),
  );
  assert.deepEqual(missing, []);
});

test('every scenario of faults is the check of a promise', () => {
  const used = new Set(checks.map((check) => check.faults));
  // What has a report of its own, or is the long form of a test.
  const apart = ['airport', 'failover', 'upgrade'];
  const unused = Object.keys(scenarios).filter((name) => !used.has(name) && !apart.includes(name));
  assert.deepEqual(unused, []);
});

test('every kept result is of a check that a promise has', () => {
  const names = new Set(checks.map(nameOf));
  const left = Object.keys(readResults()).filter((name) => !names.has(name));
  assert.deepEqual(left, []);
});
