// A copy of the current goods items in memory, and its comparison with the service.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ShownGoodsItemMessage } from '../contract/types.js';
import type { GoodsItemKey, GoodsItemTarget } from '../following/mirror-goods-items.js';
import type { TestPlayground } from './playground.js';

/** A target in memory, and how often it was cleared. */
export class Copy implements GoodsItemTarget {
  readonly items = new Map<string, string>();
  clears = 0;
  puts = 0;

  clear(): void {
    this.items.clear();
    this.clears += 1;
  }

  put(key: GoodsItemKey, { metadata }: ShownGoodsItemMessage): void {
    this.items.set(keyOf(key), metadata.eventId);
    this.puts += 1;
  }

  remove(key: GoodsItemKey): void {
    this.items.delete(keyOf(key));
  }

  removeAddedBy(eventId: string): void {
    for (const [key, added] of this.items) if (added === eventId) this.items.delete(key);
  }
}

function keyOf({ DeclarationIdentification, GoodsItemNumber }: GoodsItemKey): string {
  return `${DeclarationIdentification} ${GoodsItemNumber}`;
}

/** The current items by the service, page by page. */
async function readCurrent(playground: TestPlayground): Promise<Map<string, string>> {
  const statistics = await playground.client('statistics');
  const items = new Map<string, string>();
  let query: { page?: string | undefined } | undefined = {};
  while (query !== undefined) {
    const page = await statistics.listCurrentGoodsItems(query);
    for (const { metadata, data } of page.entries) {
      if (data !== undefined) items.set(keyOf(data.GoodsItem), metadata.eventId);
    }
    query = page.next;
  }
  return items;
}

/** Waits until the copy has the items of the service. */
export async function assertSame(copy: Copy, playground: TestPlayground): Promise<void> {
  const current = await readCurrent(playground);
  const isSame = () =>
    copy.items.size === current.size &&
    [...current].every(([key, eventId]) => copy.items.get(key) === eventId);
  for (let attempt = 0; attempt < 250 && !isSame(); attempt++) await delay(20);
  assert.deepEqual(new Map([...copy.items].sort()), new Map([...current].sort()));
}
