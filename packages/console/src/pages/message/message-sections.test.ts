// The sections of every example of a movement message: nothing of it is left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, modes, movementLevels } from '@landfall/contract';
import { makeExample } from '@landfall/contract/movement-cases/examples';
import { shownOf } from '../lodge/parts.js';
import { sectionsOf } from './message-sections.js';

/** The values of a message that have no members. */
function valuesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(valuesOf)
    : [value];
}

for (const mode of keysOf(modes)) {
  for (const level of keysOf(movementLevels)) {
    test(`every value of a ${level} by ${mode} is in one section`, () => {
      const message = makeExample(level, mode);
      const sections = sectionsOf(message, shownOf(mode, level));
      const leaves = sections.flatMap(({ items }) => items.flat().flatMap((fact) => fact.leaves));
      const sorted = (values: unknown[]) => values.map(String).sort();
      assert.deepEqual(sorted(leaves.map(({ value }) => value)), sorted(valuesOf(message)));
      assert.deepEqual(sections[0]?.steps, []);
      const names = sections.map(({ steps }) => steps.join('.'));
      assert.equal(new Set(names).size, names.length);
    });
  }
}

test('an address and a document are each one fact, in the order in which people write them', () => {
  const [, ...sections] = sectionsOf(
    makeExample('house-consignment', 'road'),
    shownOf('road', 'house-consignment'),
  );
  const consignor = sections.find(({ steps }) => steps.at(-1) === 'consignor');
  const address = consignor?.items[0]?.find(({ steps }) => steps.at(-1) === 'address');
  assert.deepEqual(
    address?.leaves.map(({ steps }) => steps.at(-1)),
    ['streetLine', 'postcode', 'city', 'country'],
  );
});
