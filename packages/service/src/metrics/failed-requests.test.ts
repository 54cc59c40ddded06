// What is kept of failed requests is limited, and internal errors are not displaced by a database that is away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FailedRequests,
  MAX_INTERNAL_ERRORS,
  MAX_OTHER_FAILURES,
  type OwnFailedRequest,
} from './failed-requests.js';

const failed = (id: string, status: number): OwnFailedRequest => ({
  id,
  at: `2026-01-01T00:00:00.${id.padStart(3, '0')}Z`,
  method: 'GET',
  status,
  reason: 'x',
});

test('of too many failed requests the last are kept, and internal errors are not displaced', () => {
  const requests = new FailedRequests();
  requests.add(failed('0', 500));
  for (let count = 1; count <= 100; count++) requests.add(failed(String(count), 503));
  assert.equal(requests.list().length, MAX_OTHER_FAILURES + 1);
  assert.equal(requests.list()[0]?.id, '0');
  assert.equal(requests.list().at(-1)?.id, '100');
  for (let count = 101; count <= 200; count++) requests.add(failed(String(count), 500));
  assert.equal(requests.list().length, MAX_OTHER_FAILURES + MAX_INTERNAL_ERRORS);
});

test('what a report has is forgotten, and what came meanwhile is not', () => {
  const requests = new FailedRequests();
  requests.add(failed('1', 500));
  const reported = requests.list();
  requests.add(failed('2', 503));
  requests.remove(reported);
  assert.deepEqual(
    requests.list().map(({ id }) => id),
    ['2'],
  );
});
