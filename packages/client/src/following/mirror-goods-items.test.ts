// A mirror has the same items as the service, however it was built.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { GoodsItemMessage } from '../contract/types.js';
import { assertSame, Copy } from '../testing/goods-item-copy.js';
import { addition, removal } from '../testing/goods-item-messages.js';
import { startTestPlayground } from '../testing/playground.js';
import { startTcpProxy } from '../testing/tcp-proxy.js';
import { MemoryMarkerStore } from './marker-store.js';

const playground = await startTestPlayground();
const authority = await playground.client('authority');

const first = Array.from({ length: 2300 }, (_, index) => addition(index));
const [, , , fourth, fifth, sixth, , eighth] = first;
assert(fourth && fifth && sixth && eighth);

test('it starts from the current items and follows every change', async (context) => {
  await authority.publishGoodsItems([...first, removal(eighth)]);
  const statistics = await playground.client('statistics');
  const stop = new AbortController();
  context.after(() => stop.abort());
  const copy = new Copy();
  const store = new MemoryMarkerStore();
  const mirror = statistics.mirrorGoodsItems(copy, { store, signal: stop.signal });
  await assertSame(copy, playground);
  assert.equal(copy.puts, 2299);
  // Added, replaced, and removed by key and by event.
  const replaced = addition(3);
  const bare = { metadata: removal(sixth).metadata };
  await authority.publishGoodsItems([addition(9000), replaced, removal(fifth), bare]);
  // The addition that this removal names has been replaced.
  await authority.publishGoodsItems([{ metadata: removal(fourth).metadata }]);
  await assertSame(copy, playground);
  assert(copy.items.size === 2298 && copy.clears === 1);
  stop.abort();
  await mirror;

  await authority.publishGoodsItems([addition(9001), removal(replaced)]);
  const again = new AbortController();
  context.after(() => again.abort());
  const puts = copy.puts;
  const resumed = statistics.mirrorGoodsItems(copy, { store, signal: again.signal });
  await assertSame(copy, playground);
  assert.deepEqual([copy.clears, copy.puts - puts], [1, 1]);
  again.abort();
  await resumed;
});

test('it continues with the page at which it ended', async (context) => {
  const statistics = await playground.client('statistics');
  const store = new MemoryMarkerStore();
  const copy = new Copy();
  const put = copy.put.bind(copy);
  copy.put = (key, message) => {
    if (copy.puts === 1500) throw new RangeError('the disk is full');
    put(key, message);
  };
  await assert.rejects(statistics.mirrorGoodsItems(copy, { store }), RangeError);
  copy.put = put;
  const stop = new AbortController();
  context.after(() => stop.abort());
  const resumed = statistics.mirrorGoodsItems(copy, { store, signal: stop.signal });
  await assertSame(copy, playground);
  assert.equal(copy.clears, 1);
  // The 500 items of the page that failed come again.
  assert.equal(copy.puts, copy.items.size + 500);
  stop.abort();
  await resumed;
});

test('it starts again when the service does not know its marker any more, unless it must not', async (context) => {
  const statistics = await playground.client('statistics');
  const unknown = () => new MemoryMarkerStore(crypto.randomUUID());
  await assert.rejects(
    statistics.mirrorGoodsItems(new Copy(), { store: unknown(), startsAgain: false }),
    /UNKNOWN_MARKER/,
  );
  const stop = new AbortController();
  context.after(() => stop.abort());
  const copy = new Copy();
  const reasons: string[] = [];
  const mirror = statistics.mirrorGoodsItems(copy, {
    store: unknown(),
    signal: stop.signal,
    onStartAgain: (reason) => reasons.push(reason),
  });
  await assertSame(copy, playground);
  assert.deepEqual([reasons, copy.clears], [['UNKNOWN_MARKER'], 1]);
  stop.abort();
  await mirror;
});

test('a page of an earlier run that leads to a marker which the service does not know starts it again', async (context) => {
  let isRestored = false;
  const statistics = await playground.client('statistics', {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!isRestored || !response.url.includes('/goods-items/current')) return response;
      const headers = new Headers(response.headers);
      headers.delete('Link');
      headers.set('Landfall-Marker', crypto.randomUUID());
      isRestored = false;
      return new Response(response.body, { status: response.status, headers });
    },
  });
  const { next } = await statistics.listCurrentGoodsItems({ limit: 1 });
  isRestored = true;
  const store = new MemoryMarkerStore(`page:${next?.page}`);
  const stop = new AbortController();
  context.after(() => stop.abort());
  const copy = new Copy();
  const reasons: string[] = [];
  const mirror = statistics.mirrorGoodsItems(copy, {
    store,
    signal: stop.signal,
    onStartAgain: (reason) => reasons.push(reason),
  });
  await Promise.race([mirror, assertSame(copy, playground)]);
  assert.deepEqual([reasons, copy.clears], [['UNKNOWN_MARKER'], 1]);
  stop.abort();
  await mirror;
});

test('it does not start again and again at a service that does not know the markers that it gives', async () => {
  let copies = 0;
  const landfall = await playground.client('statistics', {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const { url } = response;
      if (url.includes('/goods-items/current')) {
        copies++;
        const headers = new Headers(response.headers);
        headers.set('Landfall-Marker', crypto.randomUUID());
        return new Response(response.body, { status: response.status, headers });
      }
      return response;
    },
  });
  await assert.rejects(landfall.mirrorGoodsItems(new Copy()), /UNKNOWN_MARKER/);
  assert(copies > 0 && copies < 10, `${copies}`);
});

test('a connection that breaks while items are read and published does not matter', async (context) => {
  const proxy = await startTcpProxy(playground.baseUrl);
  const statistics = await playground.client('statistics', { baseUrl: proxy.url });
  const stop = new AbortController();
  context.after(() => stop.abort());
  const copy = new Copy();
  const mirror = statistics.mirrorGoodsItems(copy, { signal: stop.signal });
  const changing: GoodsItemMessage[] = [];
  for (let round = 0; round < 10; round++) {
    const last = changing.at(-1);
    changing.push(addition(20_000 + round));
    await authority.publishGoodsItems(
      [addition(20 + round), changing.at(-1), last && removal(last)].filter(
        (message) => message !== undefined,
      ),
    );
    await delay(60);
    if (round % 3 === 1) proxy.cut();
  }
  await assertSame(copy, playground);
  stop.abort();
  await mirror;
});

/** What a mirror requests first after the service has responded to it, and the store with which it begins. */
const laterFirsts = {
  'the first changes after the copy': {
    path: /\/goods-items(?!\/current)/,
    store: () => new MemoryMarkerStore(),
  },
  'the first page of a copy that starts again': {
    path: /\/goods-items\/current/,
    store: () => new MemoryMarkerStore(crypto.randomUUID()),
  },
};
for (const [what, { path, store }] of Object.entries(laterFirsts)) {
  for (const failure of ['no connection', 503] as const) {
    test(`${what} may fail more often than a call is repeated: ${failure}`, async (context) => {
      let left = 4;
      const statistics = await playground.client('statistics', {
        retry: { maxAttempts: 2, baseDelayMs: 1 },
        fetch: async (input, init) => {
          const url = input instanceof Request ? input.url : String(input);
          if (!path.test(url) || left === 0) return fetch(input, init);
          left--;
          if (failure === 503) return new Response('', { status: 503 });
          throw new TypeError('no connection');
        },
      });
      const stop = new AbortController();
      context.after(() => stop.abort());
      const copy = new Copy();
      const mirror = statistics.mirrorGoodsItems(copy, { store: store(), signal: stop.signal });
      await Promise.race([mirror, assertSame(copy, playground)]);
      while (left > 0) await Promise.race([mirror, delay(20)]);
      await authority.publishGoodsItems([addition(40_000)]);
      await Promise.race([mirror, assertSame(copy, playground)]);
      stop.abort();
      await mirror;
    });
  }
}

test('a mirror that has seen no change since it copied the items starts again after a reset', async (context) => {
  await authority.publishGoodsItems([addition(30_000)]);
  const statistics = await playground.client('statistics');
  const stop = new AbortController();
  context.after(() => stop.abort());
  const copy = new Copy();
  const reasons: string[] = [];
  let isLive = false;
  const mirror = statistics.mirrorGoodsItems(copy, {
    signal: stop.signal,
    onStartAgain: (reason) => reasons.push(reason),
    onStateChange: ({ state }) => {
      if (state === 'live') isLive = true;
    },
  });
  mirror.catch(() => undefined);
  while (!isLive) await delay(20);
  const reset = await fetch(`${playground.baseUrl}/playground/reset`, { method: 'POST' });
  assert.equal(reset.status, 204);
  await authority.publishGoodsItems([addition(1)]);
  await Promise.race([mirror, assertSame(copy, playground)]);
  assert.deepEqual([reasons, copy.clears, copy.items.size], [['UNKNOWN_MARKER'], 2, 1]);
  stop.abort();
  await mirror;
});
