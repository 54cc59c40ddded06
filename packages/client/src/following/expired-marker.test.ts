// A follower that comes too late gets an error, and a mirror starts again.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MarkerExpiredError } from '../errors/marker-expired-error.js';
import { assertSame, Copy } from '../testing/goods-item-copy.js';
import { addition, removal } from '../testing/goods-item-messages.js';
import { startTestPlayground } from '../testing/playground.js';
import { MemoryMarkerStore } from './marker-store.js';

const before = await startTestPlayground();
const messages = Array.from({ length: 20 }, (_, index) => addition(index));
const [first, second] = messages;
assert(first && second);
const authority = await before.client('authority');
await authority.publishGoodsItems([...messages, removal(second)]);
// About a second: retention runs when the service starts.
await delay(1100);
const playground = await before.restart({ goodsItemRetention: 1 / 86_400 });
const statistics = await playground.client('statistics');
for (let attempt = 0; attempt < 200; attempt++) {
  if ((await statistics.listGoodsItems()).entries.length === 1) break;
  await delay(50);
}
const expired = first.metadata.eventId;

test('a marker that has expired is an error with the marker to start again from', async () => {
  const { marker } = await statistics.listCurrentGoodsItems({ limit: 1 });
  assert(marker !== undefined);
  const follow = async () => {
    for await (const message of statistics.followGoodsItems({ marker: expired })) return message;
  };
  await assert.rejects(follow(), (error) => {
    assert(error instanceof MarkerExpiredError, String(error));
    assert.deepEqual(
      [error.code, error.expired, error.marker],
      ['MARKER_EXPIRED', expired, marker],
    );
    return true;
  });
});

test('a mirror whose marker has expired clears its target and starts again', async () => {
  const stop = new AbortController();
  const copy = new Copy();
  copy.items.set('removed meanwhile', second.metadata.eventId);
  const store = new MemoryMarkerStore(expired);
  const mirror = statistics.mirrorGoodsItems(copy, { store, signal: stop.signal });
  await assertSame(copy, playground);
  assert.equal(copy.clears, 1);
  stop.abort();
  await mirror;
  assert.notEqual(store.marker, expired);
});
