// The order of events when items are processed concurrently: what is taken from the source, and when it ends.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mapConcurrently } from './map-concurrently.js';

type Result = { item: number; index: number };

/** Items from 0; says how many were taken, and whether the reader ended it. */
function countedSource(count: number) {
  const state = { taken: 0, ended: false };
  async function* items() {
    try {
      while (state.taken < count) yield state.taken++;
    } finally {
      state.ended = true;
    }
  }
  return { state, items: items() };
}

const double = async (item: number, index: number): Promise<Result> => {
  await sleep(item % 3);
  return { item: item * 2, index };
};

test('return ends a reader for which only the source is left', async () => {
  const source = async function* () {
    yield 1;
    await new Promise(() => undefined);
  };
  const results = mapConcurrently(source(), 4, async (item) => ({ item }));
  assert.deepEqual(await results.next(), { done: false, value: { item: 1 } });
  const next = results.next();
  await results.return();
  assert.equal((await next).done, true);
});

test('return ends a reader that waits for the source, after what is in progress', async () => {
  let finish = () => {};
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const source = async function* () {
    yield 1;
    await new Promise(() => undefined);
  };
  let isDone = false;
  const results = mapConcurrently(source(), 4, async (item) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
      begin();
    });
    isDone = true;
    return { item };
  });
  const next = results.next();
  await begun;
  const end = results.return();
  // What is in progress is completed first.
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(isDone, false);
  finish();
  await Promise.all([next, end]);
  assert.equal(isDone, true);
  assert.equal((await results.next()).done, true);
});

test('every item has its result and index, from any kind of source', async () => {
  for (const source of [[0, 1, 2, 3, 4], countedSource(5).items]) {
    const results: Result[] = [];
    for await (const result of mapConcurrently(source, 2, double)) results.push(result);
    results.sort((a, b) => a.index - b.index);
    assert.deepEqual(
      results,
      [0, 1, 2, 3, 4].map((item) => ({ item: item * 2, index: item })),
    );
  }
});

test('no more items are taken than are in progress or wait for the reader', async () => {
  const { state, items } = countedSource(50);
  let received = 0;
  let inProgress = 0;
  let maxInProgress = 0;
  const results = mapConcurrently(items, 4, async (item) => {
    maxInProgress = Math.max(maxInProgress, ++inProgress);
    await sleep(2);
    inProgress--;
    return { item };
  });
  for await (const _ of results) {
    received++;
    assert(state.taken - received <= 4, `${state.taken} taken, ${received} received`);
    await sleep(received === 10 ? 50 : 0);
    assert(state.taken - received <= 4, `${state.taken} taken, ${received} received`);
  }
  assert.equal(received, 50);
  assert.equal(maxInProgress, 4);
});

test('a result is yielded while the source is waited for', async () => {
  async function* stalled() {
    yield 1;
    await new Promise(() => undefined);
  }
  const results = mapConcurrently(stalled(), 4, double);
  assert.deepEqual(await results.next(), { done: false, value: { item: 2, index: 0 } });
});

test('after a failure, what is in progress is completed and reported, then it is thrown', async () => {
  const { state, items } = countedSource(50);
  const failure = new Error('item 2');
  const received: number[] = [];
  const read = async () => {
    const results = mapConcurrently(items, 4, async (item) => {
      await sleep(item === 2 ? 5 : 50);
      if (item === 2) throw failure;
      return { item };
    });
    for await (const { item } of results) received.push(item);
  };
  await assert.rejects(read, failure);
  assert.deepEqual(received, [0, 1, 3]);
  assert.deepEqual(state, { taken: 4, ended: true });
});

test('a failure of the source is thrown after the results of its items', async () => {
  const failure = new Error('the file ended');
  async function* broken() {
    yield 1;
    throw failure;
  }
  const results = mapConcurrently(broken(), 4, double);
  assert.equal((await results.next()).done, false);
  await assert.rejects(results.next(), failure);
});

test('a reader that stops early waits for what is in progress, and ends the source', async () => {
  const { state, items } = countedSource(50);
  let completed = 0;
  const results = mapConcurrently(items, 4, async (item) => {
    await sleep(item === 0 ? 1 : 30);
    completed++;
    return { item };
  });
  for await (const _ of results) break;
  assert.equal(completed, state.taken);
  assert(state.ended);
});

test('an abort reaches the items in progress, whose results are yielded before its reason', async () => {
  const { state, items } = countedSource(50);
  const controller = new AbortController();
  const reason = new Error('stop');
  const received: unknown[] = [];
  const read = async () => {
    const results = mapConcurrently(
      items,
      3,
      async (item, _index, signal) => {
        if (item === 2) setTimeout(() => controller.abort(reason), 10);
        await once(signal, 'abort');
        return { reason: signal.reason };
      },
      controller.signal,
    );
    for await (const result of results) received.push(result.reason);
  };
  await assert.rejects(read, reason);
  assert.deepEqual(received, [reason, reason, reason]);
  assert.deepEqual(state, { taken: 3, ended: true });
});

test('with a signal that has aborted, nothing is taken', async () => {
  const { state, items } = countedSource(50);
  const reason = new Error('stop');
  const results = mapConcurrently(items, 4, double, AbortSignal.abort(reason));
  await assert.rejects(results.next(), reason);
  assert.equal(state.taken, 0);
});

test('an item that comes after an abort is not processed', async () => {
  const controller = new AbortController();
  const arrival = new EventEmitter();
  async function* late() {
    await once(arrival, 'item');
    yield 1;
  }
  let processed = 0;
  const apply = async (item: number) => {
    processed++;
    return { item };
  };
  const reason = new Error('stop');
  const rejected = assert.rejects(
    mapConcurrently(late(), 4, apply, controller.signal).next(),
    reason,
  );
  await sleep(10);
  controller.abort(reason);
  await rejected;
  arrival.emit('item');
  await sleep(10);
  assert.equal(processed, 0);
});

test('an abort ends it even while the source has nothing', async () => {
  async function* stalled(): AsyncGenerator<number> {
    await new Promise(() => undefined);
  }
  const reason = new Error('stop');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 20);
  await assert.rejects(mapConcurrently(stalled(), 4, double, controller.signal).next(), reason);
});

test('a source that fails to end when nobody waits for it does not end the process', async () => {
  const ended: unknown[] = [];
  const note = (reason: unknown) => ended.push(reason);
  process.on('unhandledRejection', note);
  let taken = 0;
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        taken++ === 0
          ? Promise.resolve({ done: false, value: 1 })
          : new Promise<IteratorResult<number>>(() => undefined),
      return: () => Promise.reject(new Error('cannot end')),
    }),
  };
  for await (const _ of mapConcurrently(source, 2, async () => ({}))) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  assert.deepEqual(ended, []);
});
