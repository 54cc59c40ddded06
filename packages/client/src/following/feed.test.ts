// Every feed of the contract can be followed: by a function, and by a method of the client.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as client from '../index.js';
import { feeds } from './feed.js';

/** What is read here of the OpenAPI document. */
type Described = {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
};

// The cast is true because the document is generated from the contract.
const { paths } = JSON.parse(
  readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Described>> };

/** The operations that read a whole feed as a stream of events. */
const feedOperations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ responses }) =>
    Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content),
  )
  .map(({ operationId }) => operationId)
  .filter((operationId) => operationId !== 'getValidationStatus');

test('every operation that streams events has an entry in `feeds`', () => {
  const followed = Object.values(feeds).map(({ operation }) => operation.operationId);
  assert.deepEqual(followed.sort(), feedOperations.sort());
});

for (const name of Object.keys(feeds)) {
  test(`${name} is a function and a method`, () => {
    assert.equal(typeof Object(client)[name], 'function');
    assert.equal(typeof Object(client.Landfall.prototype)[name], 'function');
  });
}
