// Following texts: each is exactly what was published, in every mode.
import assert from 'node:assert/strict';
import test from 'node:test';
import { asTexts } from '../connection/as-texts.js';
import { listCurrentGoodsItems, listGoodsItems } from '../operations/operations.js';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { addition } from '../testing/goods-item-messages.js';
import { startTestPlayground } from '../testing/playground.js';
import { followGoodsItemTexts } from './follow-texts.js';
import { MemoryMarkerStore } from './marker-store.js';

const playground = await startTestPlayground();
const authority = await playground.client('authority');

/** A message as text, with a number that parsing would change. */
function textOf(number: number): string {
  return JSON.stringify(addition(number)).replace('1250.5', '1250.50');
}

const texts = Array.from({ length: 1200 }, (_, number) => textOf(number));
await authority.publishGoodsItems(texts.join('\n'));

const markerOf = (text: string | undefined) => JSON.parse(text ?? '{}').metadata?.eventId;

test('a page of texts has the entries, the next page and the marker of the page', async () => {
  const client = await playground.client('statistics');
  const query = { marker: markerOf(texts[9]), limit: 3 };
  const { entries, next } = await client.call(asTexts(listGoodsItems), { query });
  assert.deepEqual(entries, texts.slice(10, 13));
  assert.deepEqual(next, { marker: markerOf(texts[12]), limit: 3 });
  const current = await client.call(asTexts(listCurrentGoodsItems), { query: { limit: 2 } });
  assert.deepEqual(current.entries, texts.slice(0, 2));
  assert.equal(current.marker, markerOf(texts.at(-1)));
  assert.equal(typeof current.next?.page, 'string');
});

test('a page whose response is cut is read again', async () => {
  const proxy = await startFaultyProxy(playground.baseUrl);
  const client = await playground.client('statistics', {
    baseUrl: proxy.url,
    retry: { baseDelayMs: 1 },
  });
  proxy.fail('goods-items', 'cut-response', { status: 503 });
  const { entries } = await client.call(asTexts(listGoodsItems), { query: { limit: 5 } });
  assert.deepEqual(entries, texts.slice(0, 5));
});

for (const mode of ['events', 'wait', 'poll'] as const) {
  test(`texts of the past and new ones are handed out as published (${mode})`, async () => {
    const client = await playground.client('statistics');
    const stop = new AbortController();
    const store = new MemoryMarkerStore(markerOf(texts.at(-1101)));
    const expected = [...texts.slice(-1100), textOf(texts.length), textOf(texts.length + 1)];
    const seen: string[] = [];
    let published = false;
    const following = followGoodsItemTexts(client, {
      store,
      modes: [mode],
      signal: stop.signal,
      pollIntervalMs: 50,
      onStateChange: () => {
        // Only now, so that they arrive as new ones.
        if (!published) void authority.publishGoodsItems(expected.slice(1100).join('\n'));
        published = true;
      },
    });
    for await (const text of following) {
      seen.push(text);
      if (seen.length === expected.length) stop.abort();
    }
    texts.push(...expected.slice(1100));
    assert.deepEqual(seen, expected);
    assert.equal(store.marker, markerOf(expected.at(-1)));
  });
}
