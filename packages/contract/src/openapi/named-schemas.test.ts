// Bodies and responses have schemas with names, from which a client gets its types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Problem } from '../errors.js';
import type { Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';

const table: Operation[] = Object.values(operations);

/** Every schema of a body or a response, with what it is for. */
const contents = table.flatMap(({ operationId, body = {}, responses }) => [
  ...Object.entries(body).map(([mediaType, schema]) => ({
    of: `${operationId} body ${mediaType}`,
    mediaType,
    schema,
  })),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([mediaType, schema]) => ({
      of: `${operationId} ${status} ${mediaType}`,
      mediaType,
      schema,
    })),
  ),
]);

/** Whether a schema has a name, or is a list or a choice of such schemas. */
function isNamed(schema: TSchema): boolean {
  if ('$id' in schema) return true;
  if ('items' in schema) return isNamed(Object(schema.items));
  return 'anyOf' in schema && Array.isArray(schema.anyOf) && schema.anyOf.every(isNamed);
}

test('every body and response that is not plain text is made of schemas with names', () => {
  const anonymous = contents.filter(
    ({ mediaType, schema }) =>
      !['text/plain', 'text/csv', 'application/octet-stream'].includes(mediaType) &&
      !isNamed('contentSchema' in schema ? Object(schema.contentSchema) : schema),
  );
  assert.deepEqual(
    anonymous.map(({ of }) => of),
    [],
  );
});

test('a name belongs to one schema, which has a description', () => {
  const named = new Map<string, string>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('$id' in part && typeof part.$id === 'string') {
      const text = JSON.stringify(part);
      assert.equal(text, named.get(part.$id) ?? text, part.$id);
      named.set(part.$id, text);
      assert.ok('description' in part, part.$id);
    }
    for (const member of Object.values(part)) collect(member);
  };
  collect([Problem, table]);
  assert.ok(named.size > 50);
});

test('objects within named schemas have names too', () => {
  const anonymous = new Set<string>();
  const collect = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const name = '$id' in part && typeof part.$id === 'string' ? part.$id : undefined;
    if (name === undefined && path !== '' && 'properties' in part && 'type' in part) {
      anonymous.add(path);
    }
    const here = name ?? path;
    for (const [key, member] of Object.entries(part)) {
      collect(member, here === '' ? '' : `${here}.${key}`);
    }
  };
  collect([Problem, contents.map(({ schema }) => schema)], '');
  // It has one member.
  assert.deepEqual([...anonymous], ['ValidationStatusError.properties.pointer']);
});
