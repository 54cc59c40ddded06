// Background work begins and ends in the order of its list, and each failure is counted under its task.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackgroundJobs } from './background-jobs.js';
import { BackgroundFailures } from './http/background-failures.js';

/** A list of jobs that write down what happens to them. */
function makeJobs() {
  const happened: string[] = [];
  const logged: string[] = [];
  const failures = new BackgroundFailures({
    warn: (_fields: unknown, message?: unknown) => logged.push(String(message)),
  });
  const jobs = new BackgroundJobs(failures);
  const note = (what: string) => async () => {
    await Promise.resolve();
    happened.push(what);
  };
  return { happened, logged, jobs, note };
}

test('jobs begin, catch up and end one after the other, and some end before the last requests', async () => {
  const { happened, jobs, note } = makeJobs();
  const sentence = 'not done';
  jobs.add('one', { sentence, work: () => 1, start: note('start 1'), close: note('close 1') });
  jobs.add('two', {
    sentence,
    work: () => 2,
    start: note('start 2'),
    catchUp: note('catch up 2'),
    close: note('close 2'),
    endsFirst: true,
  });
  jobs.follow(3, { catchUp: note('catch up 3'), close: note('close 3') });
  await jobs.start();
  await jobs.catchUp();
  await jobs.endFirst();
  await jobs.close();
  assert.deepEqual(happened, [
    'start 1',
    'start 2',
    'catch up 2',
    'catch up 3',
    'close 2',
    'close 1',
    'close 3',
  ]);
});

test('a task is counted from the start, and its failures are counted and logged', () => {
  const { jobs, logged } = makeJobs();
  const report = jobs.add('task', {
    sentence: 'it is not done; the next run does it',
    work: (reportFailure) => reportFailure,
    close: () => undefined,
  });
  assert.equal(jobs.failures.counts.get('task'), 0);
  report(new Error('why'));
  assert.equal(jobs.failures.counts.get('task'), 1);
  assert.deepEqual(logged, ['it is not done; the next run does it']);
});
