// Readers that are woken together share a statement, and each finds its end without looking at those of all others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routingSignals } from '../routing/signal-feed.js';
import { FeedEnds } from './feed-ends.js';

/** How many times rows are looked at while so many readers find their ends. */
async function countLooks(readers: number): Promise<number> {
  let looks = 0;
  const rows = Array.from({ length: readers }, (_, index) => ({
    get owner() {
      looks++;
      return index;
    },
    position: index * 2,
    history: null,
  }));
  const ends = new FeedEnds({
    // The cast is true because the rows have what the statement returns.
    query: async <Row extends object>() => rows as unknown as Row[],
  });
  const found = await Promise.all(
    rows.map((_, owner) => ends.read({ kind: routingSignals, owner })),
  );
  assert.deepEqual(
    found.map(({ position }) => position),
    rows.map(({ position }) => position),
  );
  return looks;
}

test('the work for woken readers grows as their number does', async () => {
  const [few, many] = [await countLooks(1000), await countLooks(10_000)];
  assert(many / few < 12, `${few} and ${many}`);
});
