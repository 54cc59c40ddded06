// Whatever the authority writes has only members that are known: one that is spelled wrongly would be left out, such as a
// block or a routing. Generated from the operations and their schemas.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isObject, type Operation, operations } from '@landfall/contract';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';
import { sampleBody, sampleLine, samplePath } from '../testing/request-samples.js';
import { NDJSON } from './ndjson.js';

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
  contentSchema?: Schema;
  anyOf?: Schema[];
};

/** The paths of the objects of a value, without those that may have any member. */
function objectsOf(schema: Schema, value: unknown, path: string[] = []): string[][] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items
      ? value.flatMap((item, index) => objectsOf(items, item, [...path, `${index}`]))
      : [];
  }
  if (!isObject(value) || schema.properties === undefined) return [];
  const members = Object.entries(schema.properties).flatMap(([name, member]) =>
    objectsOf(member, value[name], [...path, name]),
  );
  return schema.additionalProperties === true ? members : [path, ...members];
}

/** A copy with one more member in one of its objects. */
function withUnknown(value: unknown, path: readonly string[]): unknown {
  const copy: unknown = structuredClone(value);
  let object = copy as Record<string, unknown>;
  for (const name of path) object = object[name] as Record<string, unknown>;
  object.mispelt = 'x';
  return copy;
}

const written = Object.values<Operation>(operations).flatMap((operation) => {
  const { access, body = {} } = operation;
  const isAuthority =
    Array.isArray(access) && access.every((scope) => scope.startsWith('authority/'));
  return isAuthority
    ? Object.entries(body).flatMap(([mediaType, schema]) =>
        mediaType.endsWith('json') ? [{ operation, mediaType, schema: schema as Schema }] : [],
      )
    : [];
});

describe('members that are not known', () => {
  let playground: TestPlayground;
  before(async () => {
    playground = await TestPlayground.start(await openInMemory());
  });
  after(() => playground.close());

  assert(written.length >= 10);
  for (const { operation, mediaType, schema } of written) {
    const read = mediaType === NDJSON ? schema.contentSchema : schema;
    assert(read);
    for (const sampled of read.anyOf ?? [read]) {
      test(`${operation.operationId}, ${mediaType}: ${Object.keys(sampled.properties ?? {})}`, async () => {
        const line = mediaType === NDJSON ? sampleLine(operation) : undefined;
        const sample = line ?? sampleBody(operation, sampled);
        const paths = objectsOf(sampled, sample);
        assert(paths.length > 0);
        for (const path of paths) {
          const text = JSON.stringify(withUnknown(sample, path));
          const { status, text: received } = await playground.call(samplePath(operation), {
            as: 'authority',
            method: operation.method,
            headers: { 'content-type': mediaType },
            raw: text,
          });
          const field = [...path, 'mispelt'].join('.');
          assert.match(received, /"code":"UNKNOWN_MEMBER"/, `${field}: ${status} ${received}`);
          assert(received.includes(`"field":"${field}"`) || Array.isArray(sample), received);
          if (status !== 400) {
            assert.equal(status, 200);
            assert.match(received, /"status":"REFUSED"/);
          }
        }
      });
    }
  }

  test('a document as lists and signals show it may be sent', async () => {
    const decision = {
      transportDocumentHouseLevel: {
        documentNumber: 'HC001',
        referenceNumber: 'HC001',
        type: 'N740',
      },
      routing: 'TO_CONTROL',
    };
    const { status, text } = await playground.post(
      '/api/authority/v1/routing-decisions',
      'authority',
      [decision],
    );
    assert.equal(status, 200);
    assert.doesNotMatch(text, /REFUSED/);
  });
});
