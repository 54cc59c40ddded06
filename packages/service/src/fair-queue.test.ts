// Owners take turns, whatever is added, taken and removed: compared with a model by random operations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

test('one item of each owner after the other, each in its order', () => {
  const queue = new FairQueue<string, string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
  assert.equal(queue.size, 6);
  queue.remove('a', 'a2');
  const taken = Array.from({ length: 6 }, () => queue.take());
  assert.deepEqual(taken, ['a1', 'b1', 'c1', 'a3', 'c2', undefined]);
  assert.equal(queue.size, 0);
});

test('the last item of the owner with the most is found, if it has more than so many', () => {
  const queue = new FairQueue<string, string>();
  for (const item of ['a1', 'b1', 'b2', 'b3', 'c1', 'c2']) queue.add(item.charAt(0), item);
  assert.equal(queue.lastOfMost(2), 'b3');
  assert.equal(queue.lastOfMost(3), undefined);
});

const owner = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), owner }),
  fc.record({ kind: fc.constant('take' as const), owner }),
  fc.record({ kind: fc.constant('remove' as const), owner, index: fc.nat(5) }),
);

test('nothing is lost or repeated, and nobody is passed over, by random operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<number, string>();
      // The order of the owners, and the items of each.
      const model: { owner: number; items: string[] }[] = [];
      const find = (wanted: number) => model.find((one) => one.owner === wanted);
      for (const [number, one] of steps.entries()) {
        const entry = find(one.owner);
        if (one.kind === 'add') {
          const item = `${one.owner}-${number}`;
          queue.add(one.owner, item);
          if (entry === undefined) model.push({ owner: one.owner, items: [item] });
          else entry.items.push(item);
        } else if (one.kind === 'take') {
          const next = model.shift();
          assert.equal(queue.take(), next?.items.shift());
          if (next !== undefined && next.items.length > 0) model.push(next);
        } else {
          const item = entry?.items[one.index] ?? 'absent';
          queue.remove(one.owner, item);
          if (entry !== undefined) entry.items = entry.items.filter((other) => other !== item);
          if (entry?.items.length === 0) model.splice(model.indexOf(entry), 1);
        }
        const size = model.reduce((sum, { items }) => sum + items.length, 0);
        assert.equal(queue.size, size);
        assert.equal(queue.countOf(one.owner), find(one.owner)?.items.length ?? 0);
      }
    }),
  );
});
