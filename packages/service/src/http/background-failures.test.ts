// How background failures are logged and counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackgroundFailures } from './background-failures.js';

test('every failure is counted, and a repeated one is logged every ten seconds', () => {
  const logged: object[] = [];
  let now = 0;
  const failures = new BackgroundFailures(
    { warn: (fields: object) => logged.push(fields) },
    { now: () => now },
  );
  const report = failures.reporter('sweep', 'the sweep failed and is tried again');
  failures.reporter('other', 'the other failed');
  const error = new Error('unavailable');
  for (now = 0; now < 20_000; now += 1000) report(error);
  assert.deepEqual(
    [...failures.counts],
    [
      ['sweep', 20],
      ['other', 0],
    ],
  );
  assert.deepEqual(logged, [
    { err: error, task: 'sweep', failures: 1 },
    { err: error, task: 'sweep', failures: 11 },
  ]);
});

test('what is expected is no failure', () => {
  const logged: object[] = [];
  const expected = new Error('the server is about to stop');
  const failures = new BackgroundFailures(
    { warn: (fields: object) => logged.push(fields) },
    { isExpected: (error) => error === expected },
  );
  const report = failures.reporter('sweep', 'the sweep failed and is tried again');
  report(expected);
  assert.deepEqual([...failures.counts, ...logged], [['sweep', 0]]);
  report(new Error('unavailable'));
  assert.deepEqual([[...failures.counts], logged.length], [[['sweep', 1]], 1]);
});
