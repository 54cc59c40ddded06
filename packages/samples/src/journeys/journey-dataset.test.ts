// A journey as lines of a dataset: every line is valid, and what is declared too is lodged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatasetMovements, DatasetReader, keysOf, uncheckedRegisters } from '@landfall/contract';
import { generateJourneyDataset } from './journey-dataset.js';
import { journeyKinds } from './journey-kinds.js';

const common = { identity: 'carrier', carrier: 'NO310000019', seed: 999_999_999 };
const start = new Date('2026-05-04T08:00:00Z');

for (const kind of keysOf(journeyKinds)) {
  test(`${kind}: every line is valid, whenever the playground starts`, () => {
    const reader = new DatasetReader();
    const movements = new DatasetMovements();
    const numbers = { dataset: 0, declaration: 0, movement: 0 };
    const documents = { lodged: new Set<string>(), declared: new Set<string>() };
    for (const line of generateJourneyDataset({ ...common, kind, houses: 120 })) {
      const [read] = reader.push(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
      assert(read !== undefined && 'entry' in read, JSON.stringify(read));
      const { entry } = read;
      assert(entry.kind === 'dataset' || entry.kind === 'declaration' || entry.kind === 'movement');
      numbers[entry.kind] += 1;
      if (entry.kind === 'declaration') {
        for (const house of entry.declaration.houseConsignments) {
          documents.declared.add(JSON.stringify(house.transportDocumentHouseLevel));
        }
      }
      if (entry.kind !== 'movement') continue;
      assert.equal(entry.movement.mode, journeyKinds[kind].mode);
      const context = { start, registers: uncheckedRegisters, isLodged: false };
      assert.deepEqual(movements.check(entry, context).errors, []);
      if (!('movement' in line) || line.movement.level !== 'house-consignment') continue;
      const { consignmentHouseLevel } = line.movement.message;
      assert(consignmentHouseLevel instanceof Object);
      assert('transportDocumentHouseLevel' in consignmentHouseLevel);
      documents.lodged.add(JSON.stringify(consignmentHouseLevel.transportDocumentHouseLevel));
    }
    assert.equal(documents.lodged.size, 120);
    assert(numbers.movement > 121);
    assert.equal(numbers.dataset, 1);
    assert.equal(numbers.declaration > 0, kind === 'freighter');
    assert.equal(documents.declared.size > 20, kind === 'freighter');
    assert([...documents.declared].every((document) => documents.lodged.has(document)));
  });
}
