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
