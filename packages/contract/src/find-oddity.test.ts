// Every response of the contract, and every result of a control address: as it is described, and with each place changed.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TSchema } from 'typebox';
import { controlResults } from './control-results.js';
import { findOddity } from './find-oddity.js';
import { operations } from './operations/operations.js';
import { responseSchemas } from './operations/response-schemas.js';
import { oddSamplesOf, sampleOf } from './testing/sample-of.js';

const schemas: [name: string, schema: TSchema][] = Object.entries(controlResults);
for (const operationId of Object.keys(operations)) {
  for (const type of ['application/json', 'application/x-ndjson'] as const) {
    for (const [index, schema] of responseSchemas(operationId, type).entries()) {
      schemas.push([`${operationId}, ${type} ${index}`, schema]);
    }
  }
}

it('there are schemas', () => assert(schemas.length > 50));

for (const [name, schema] of schemas) {
  it(`${name}: a response as it is described is not odd, and each place that differs is`, () => {
    assert.equal(findOddity(schema, sampleOf(schema)), undefined);
    let count = 0;
    for (const { place, value } of oddSamplesOf(schema)) {
      assert(findOddity(schema, value), `${place} is not noticed`);
      count += 1;
    }
    assert(count > 3 || 'anyOf' in schema, `${count} places`);
  });
}

it('says which member is odd, and how', () => {
  const schema = controlResults.snapshots;
  assert.equal(findOddity(schema, null), 'it is null, not an object');
  assert.equal(findOddity(schema, {}), 'member "snapshots" is missing');
  const snapshots: object[] = [{ name: 'a', takenAt: 'b' }, { name: 7 }];
  assert.equal(findOddity(schema, { snapshots }), 'member "snapshots.1.takenAt" is missing');
  snapshots[1] = { name: 7, takenAt: 'b' };
  assert.equal(
    findOddity(schema, { snapshots }),
    'member "snapshots.1.name" is a number, not a text',
  );
});

it('what a later version may add is not odd', () => {
  const later = { name: 'a', takenAt: 'b', takenBy: { name: 'c' } };
  assert.equal(findOddity(controlResults.snapshot, later), undefined);
  const [run] = responseSchemas('getRoutingRun', 'application/json');
  assert(run);
  const sample = Object.assign({}, sampleOf(run), { state: 'POSTPONED' });
  assert.equal(findOddity(run, sample), undefined);
});
