import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { BatchMetrics } from '../metrics/batch-metrics.js';
import { Batch, Postponed } from './batch.js';
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
    { maxInFlight: 2 },
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
    { maxBatchSize: 3 },
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
      const settled = await Promise.allSettled(poisoned.map((_, index) => batch.submit(index)));
      assert.deepEqual(
        settled.map(({ status }) => status === 'rejected'),
        poisoned,
      );
      assert.deepEqual(
        committed,
        poisoned.flatMap((bad, index) => (bad ? [] : [index])),
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
  const batch = new Batch(commit, { maxQueued: 2 });
  const waiting = [batch.submit(1), batch.submit(2)];
  await assert.rejects(batch.submit(3), OverloadedError);
  await nextTurn();
  letGo();
  assert.deepEqual(await Promise.all(waiting), [10, 20]);
});

test('a batch is halved only for an error that one request can cause', async () => {
  /** An error as the driver gives it. */
  const databaseError = (code: string) =>
    Object.assign(new pg.DatabaseError(code, 0, 'error'), { code, severity: 'ERROR' });
  const commitsUntilRefused = async (error: Error) => {
    let commits = 0;
    const batch = new Batch<number, number>(async () => {
      commits++;
      throw error;
    });
    const settled = await Promise.allSettled([1, 2, 3, 4].map((one) => batch.submit(one)));
    assert(settled.every((one) => one.status === 'rejected' && one.reason === error));
    return commits;
  };
  // Read-only after a failover, cancelled by a timeout, a lock that was not free, an internal error.
  for (const code of ['25006', '57014', '55P03', 'XX000']) {
    assert.equal(await commitsUntilRefused(databaseError(code)), 1, code);
  }
  for (const code of ['22P05', '23514', '54000']) {
    assert.equal(await commitsUntilRefused(databaseError(code)), 7, code);
  }
});

type Owned = { owner: number; id: number; key?: string };

/** Commits one batch each time that `run` lets it, and records which requests were batched together. */
function ownedBatch(options: ConstructorParameters<typeof Batch<Owned, number>>[1]) {
  const batches: Owned[][] = [];
  let letGo: () => void = () => undefined;
  const batch = new Batch<Owned, number>(
    async (requests) => {
      batches.push([...requests]);
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      return requests.map(({ id }) => id);
    },
    { ...options, keys: ({ key }) => [key], ownerOf: ({ owner }) => owner },
  );
  /** Lets commits go until nothing is left, or as many as are wanted. */
  const run = async (commits = Number.POSITIVE_INFINITY) => {
    for (let done = 0; done < commits; done++) {
      await nextTurn();
      if (batches.length === done) return;
      letGo();
      await nextTurn();
    }
  };
  return { batch, batches, run };
}

test('one owner that fills its queue is refused, and the others are served in the next commits', async () => {
  const { batch, batches, run } = ownedBatch({ maxQueued: 100, maxQueuedPerOwner: 20 });
  const greedy = Array.from({ length: 10_000 }, (_, id) =>
    batch.submit({ owner: 1, id, key: 'the same' }).then(
      () => 'served',
      (error: unknown) => (error instanceof OverloadedError ? 'refused' : error),
    ),
  );
  const others = [2, 3, 4].map((owner) => batch.submit({ owner, id: owner }));
  await run(2);
  assert.deepEqual(await Promise.all(others), [2, 3, 4]);
  assert.equal(batches[0]?.length, 4);
  await run();
  const outcomes = await Promise.all(greedy);
  assert.equal(outcomes.filter((outcome) => outcome === 'served').length, 20);
  assert.equal(outcomes.filter((outcome) => outcome === 'refused').length, 9980);
});

test('owners take turns: no owner has two requests in a batch while another owner has none in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          owner: fc.nat(5),
          key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 4 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      fc.integer({ min: 1, max: 8 }),
      async (submitted, maxBatchSize) => {
        const { batch, batches, run } = ownedBatch({ maxBatchSize });
        const requests = submitted.map(({ owner, key }, id) => ({
          owner,
          id,
          ...(key && { key: `${owner}${key}` }),
        }));
        const outcomes = Promise.all(requests.map((request) => batch.submit(request)));
        await run();
        assert.deepEqual(
          await outcomes,
          requests.map(({ id }) => id),
        );
        const left = new Map<number, number>();
        for (const { owner } of requests) left.set(owner, (left.get(owner) ?? 0) + 1);
        const lastServed = new Map<string, number>();
        for (const taken of batches) {
          assert(taken.length <= maxBatchSize);
          const keys = taken.flatMap(({ key }) => key ?? []);
          assert.equal(new Set(keys).size, keys.length);
          const counts = new Map([...left.keys()].map((owner) => [owner, 0]));
          for (const { owner, id, key } of taken) {
            counts.set(owner, (counts.get(owner) ?? 0) + 1);
            // Requests of one owner that have the same key, or none, keep their order.
            const line = `${owner} ${key ?? ''}`;
            assert((lastServed.get(line) ?? -1) < id);
            lastServed.set(line, id);
          }
          // The first commit starts with the first request when its size is one, so all have had a chance.
          const [min, max] = [Math.min(...counts.values()), Math.max(...counts.values())];
          if (max > 1) assert(min > 0, JSON.stringify([...counts]));
          for (const [owner, count] of counts) {
            const rest = (left.get(owner) ?? 0) - count;
            if (rest > 0) left.set(owner, rest);
            else left.delete(owner);
          }
        }
      },
    ),
  );
});

test('a postponed request is committed again when it may be, and delays no other request', async () => {
  let free: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    free = resolve;
  });
  let held = true;
  const batch = new Batch<string, string>(async (requests) =>
    requests.map((request) => (request === 'held' && held ? new Postponed(until) : request)),
  );
  const postponed = batch.submit('held');
  assert.equal(await batch.submit('another'), 'another');
  assert.equal(await Promise.race([postponed, 'still waiting']), 'still waiting');
  held = false;
  free();
  assert.equal(await postponed, 'held');
});

test('a wait that fails before its request is told of it fails that request, and nothing else', async () => {
  const lost = new DatabaseUnavailableError('the session was lost');
  const batch = new Batch<string, string>(async (requests) =>
    requests.map((request) => (request === 'held' ? new Postponed(Promise.reject(lost)) : request)),
  );
  const postponed = batch.submit('held');
  assert.equal(await batch.submit('another'), 'another');
  await assert.rejects(postponed, lost);
});

test('a request that waits too long is refused, wherever it waits', async () => {
  // The batch's own timer keeps no process alive.
  const alive = setTimeout(() => assert.fail('a request was never refused'), 20_000);
  const never = new Promise<void>(() => undefined);
  const postponing = new Batch<number, number>(async () => [new Postponed(never)], {
    maxWaitMs: 50,
  });
  await assert.rejects(postponing.submit(1), OverloadedError);
  const { batch } = ownedBatch({ maxWaitMs: 50 });
  batch.submit({ owner: 1, id: 1 }).catch(() => undefined);
  await nextTurn();
  await assert.rejects(batch.submit({ owner: 1, id: 2 }), OverloadedError);
  clearTimeout(alive);
});

test('where an owner may have one commit in flight, the requests of others go before its next ones', async () => {
  const started: number[] = [];
  const letGo: (() => void)[] = [];
  const batch = new Batch<number, number>(
    async (requests) => {
      started.push(...requests);
      await new Promise<void>((resolve) => letGo.push(resolve));
      return requests;
    },
    { maxBatchSize: 1, maxInFlight: 2, oneInFlightPerOwner: true, ownerOf: (one) => one % 10 },
  );
  const submitted = [1, 11, 21, 2, 12].map((request) => batch.submit(request));
  await nextTurn();
  assert.deepEqual(started, [1, 2]);
  for (let index = 0; index < 5; index++) {
    letGo[index]?.();
    await nextTurn();
  }
  assert.deepEqual(await Promise.all(submitted), [1, 11, 21, 2, 12]);
  assert.deepEqual(started.slice(0, 4), [1, 2, 11, 12]);
});

test('postponed requests are counted until they are committed', async () => {
  const metrics = new BatchMetrics();
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  let postponed = false;
  const batch = new Batch<number, number>(
    async (requests) => {
      if (postponed) return requests;
      postponed = true;
      return requests.map(() => new Postponed(until));
    },
    { measured: { by: metrics, as: 'test' } },
  );
  const read = async () => {
    for (const measure of metrics.measures) {
      if (measure.name === 'landfall_batch_postponed' && 'read' in measure) return measure.read();
    }
    return assert.fail();
  };
  const outcome = batch.submit(1);
  await delay(50);
  assert.deepEqual(await read(), [{ labels: { batch: 'test' }, value: 1 }]);
  release();
  assert.equal(await outcome, 1);
  assert.deepEqual(await read(), [{ labels: { batch: 'test' }, value: 0 }]);
});
