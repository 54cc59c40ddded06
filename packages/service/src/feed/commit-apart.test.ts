// Entries of a block that are held do not hold up the others, and those about the same keep their order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commitApart, type Held } from './commit-apart.js';

type Entry = { key: string; owner: number; number: number };

const entriesOf = fc.array(
  fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), owner: fc.nat(3) }),
  {
    maxLength: 12,
  },
);

test('every entry that is free is committed once, in the order of its key, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      entriesOf,
      fc.uniqueArray(fc.nat(3)),
      fc.uniqueArray(fc.nat(3)),
      fc.boolean(),
      async (given, held, released, isKnown) => {
        const entries = given.map((entry, number): Entry => ({ ...entry, number }));
        const holds = new Set(held);
        const committed: Entry[] = [];
        let attempts = 0;
        const outcomes = await commitApart(entries, {
          keyOf: ({ key }) => key,
          commit: async (part, maxWaitMs): Promise<number[] | Held> => {
            attempts++;
            // What waits again finds that some owners are free now.
            if (attempts > 1 && maxWaitMs > 0) for (const owner of released) holds.delete(owner);
            const first = part.find(({ owner }) => holds.has(owner));
            if (first === undefined) {
              committed.push(...part);
              return part.map(({ number }) => number);
            }
            const isOfFirst = part.map(({ owner }) => owner === first.owner);
            const indexes = isOfFirst.flatMap((isIt, index) => (isIt ? index : []));
            return { held: isKnown ? new Set(indexes) : undefined };
          },
        });
        const done = new Set(committed.map(({ number }) => number));
        assert.equal(done.size, committed.length, 'committed once');
        outcomes.forEach((outcome, index) => {
          assert.equal(outcome, done.has(index) ? index : undefined);
        });
        for (const key of new Set(entries.map((entry) => entry.key))) {
          const ofKey = committed.filter((entry) => entry.key === key).map(({ number }) => number);
          assert.deepEqual(
            ofKey,
            [...ofKey].sort((one, other) => one - other),
          );
        }
        const heldKeys = new Set(
          entries.filter(({ owner }) => held.includes(owner)).map(({ key }) => key),
        );
        for (const { number, key } of entries) {
          if (isKnown && !heldKeys.has(key)) assert.ok(done.has(number), 'nothing holds it');
        }
        for (const { number, owner } of entries) {
          if (held.includes(owner) && !released.includes(owner)) assert.ok(!done.has(number));
        }
      },
    ),
  );
});
