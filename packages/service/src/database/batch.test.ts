import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Batch } from './batch.js';
import { DatabaseUnavailableError, OverloadedError } from './errors.js';

/** A commit that waits until it is let go, and notes what came together. */
function heldCommit() {
  const batches: number[][] = [];
  let letGo: () => void = () => undefined;
  const commit = async (requests: readonly number[]) => {
    batches.push([...requests]);
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return requests.map((request) => request * 10);
  };
  return { batches, commit, letGo: () => letGo() };
}

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('requests that come while a commit is under way share the next one', async () => {
  const { batches, commit, letGo } = heldCommit();
  const batch = new Batch(commit);
  const first = batch.submit(1);
  await nextTurn();
  const others = [2, 3, 4].map((request) => batch.submit(request));
  await nextTurn();
  assert.deepEqual(batches, [[1]]);
  letGo();
  assert.equal(await first, 10);
  await nextTurn();
  assert.deepEqual(batches, [[1], [2, 3, 4]]);
  letGo();
  assert.deepEqual(await Promise.all(others), [20, 30, 40]);
});

test('where the next commit may go ahead, it does when it is as large as the one under way', async () => {
  const batches: number[][] = [];
  const letGo: (() => void)[] = [];
  const batch = new Batch<number, number>(
    async (requests) => {
      batches.push([...requests]);
      await new Promise<void>((resolve) => letGo.push(resolve));
      return requests;
    },
    { ahead: 2 },
  );
  const submitted = [1, 2].map((request) => batch.submit(request));
  await nextTurn();
  submitted.push(batch.submit(3));
  await nextTurn();
  assert.deepEqual(batches, [[1, 2]]);
  submitted.push(batch.submit(4));
  await nextTurn();
  assert.deepEqual(batches, [
    [1, 2],
    [3, 4],
  ]);
  submitted.push(...[5, 6, 7].map((request) => batch.submit(request)));
  await nextTurn();
  assert.equal(batches.length, 2);
  letGo[0]?.();
  await nextTurn();
  assert.deepEqual(batches.at(-1), [5, 6, 7]);
  for (const go of letGo) go();
  assert.deepEqual(await Promise.all(submitted), [1, 2, 3, 4, 5, 6, 7]);
});

test('a batch is never larger than allowed, and keeps the order', async () => {
  const sizes: number[] = [];
  const seen: number[] = [];
  const batch = new Batch<number, number>(
    async (requests) => {
      sizes.push(requests.length);
      seen.push(...requests);
      return requests;
    },
    { most: 3 },
  );
  const requests = Array.from({ length: 10 }, (_, number) => number);
  assert.deepEqual(await Promise.all(requests.map((request) => batch.submit(request))), requests);
  assert.deepEqual(sizes, [3, 3, 3, 1]);
  assert.deepEqual(seen, requests);
});

test('a request that cannot be committed fails alone, whichever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (poisoned) => {
      const committed: number[] = [];
      const batch = new Batch<number, number>(async (requests) => {
        if (requests.some((request) => poisoned[request])) throw new TypeError('poisoned');
        committed.push(...requests);
        return requests;
      });
      const settled = await Promise.allSettled(poisoned.map((_, place) => batch.submit(place)));
      assert.deepEqual(
        settled.map(({ status }) => status === 'rejected'),
        poisoned,
      );
      assert.deepEqual(
        committed,
        poisoned.flatMap((bad, place) => (bad ? [] : [place])),
      );
    }),
  );
});

test('when the database is away all that was to be committed fails, and nothing is tried again', async () => {
  let commits = 0;
  const batch = new Batch<number, number>(async () => {
    commits++;
    throw new DatabaseUnavailableError('away');
  });
  const settled = await Promise.allSettled([1, 2, 3].map((request) => batch.submit(request)));
  assert(settled.every((one) => one.status === 'rejected'));
  assert.equal(commits, 1);
});

test('requests that have a key in common never share a commit', async () => {
  const batches: string[][] = [];
  const batch = new Batch<string, string>(
    async (requests) => {
      batches.push([...requests]);
      return requests;
    },
    { keys: (request) => [...request] },
  );
  await Promise.all(['a', 'b', 'ad', 'c', 'ae', 'bd'].map((request) => batch.submit(request)));
  assert.deepEqual(batches, [['a', 'b', 'c'], ['ad'], ['ae', 'bd']]);
});

test('one more than may wait is refused, and those that wait are served', async () => {
  const { commit, letGo } = heldCommit();
  const batch = new Batch(commit, { queue: 2 });
  const waiting = [batch.submit(1), batch.submit(2)];
  await assert.rejects(batch.submit(3), OverloadedError);
  await nextTurn();
  letGo();
  assert.deepEqual(await Promise.all(waiting), [10, 20]);
});
