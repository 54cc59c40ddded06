// The memory of uploads is bounded for each organisation and in all, and released when they end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultUploadLimits, UploadBudget, UploadsFullError } from './upload-budget.js';

const isFull = (whose: string) => (error: unknown) =>
  error instanceof UploadsFullError && error.whose === whose;

test('an organisation holds no more than its share, however many uploads it has', () => {
  const budget = new UploadBudget({ organisation: 100, total: 250 });
  const [one, two, other] = [budget.open(1), budget.open(1), budget.open(2)];
  one.set(60);
  assert.throws(() => two.set(41), isFull('organisation'));
  two.set(40);
  other.set(100);
  one.set(10);
  two.set(90);
  assert.equal(budget.total, 200);
});

test('all uploads together stay below the limit, and released bytes can be held again', () => {
  const budget = new UploadBudget({ organisation: 100, total: 250 });
  const uploads = [1, 2, 3].map((organisation) => budget.open(organisation));
  for (const upload of uploads.slice(0, 2)) upload.set(100);
  assert.throws(() => uploads[2]?.set(51), isFull('all'));
  uploads[2]?.set(50);
  uploads[0]?.release();
  uploads[0]?.release();
  assert.equal(budget.total, 150);
  uploads[2]?.set(100);
  for (const upload of uploads) upload.release();
  assert.equal(budget.total, 0);
});

test('the limits follow the heap, within bounds', () => {
  const mib = 1024 * 1024;
  assert.deepEqual(defaultUploadLimits(64 * mib), { organisation: 32 * mib, total: 48 * mib });
  assert.deepEqual(defaultUploadLimits(512 * mib), { organisation: 32 * mib, total: 64 * mib });
  assert.deepEqual(defaultUploadLimits(4096 * mib), { organisation: 32 * mib, total: 128 * mib });
});
