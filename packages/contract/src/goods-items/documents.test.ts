// The JSON Schema is valid according to a validator of its standard, and the AsyncAPI document has what was configured.
// Whether that document is valid, `npm run lint:openapi` checks with the rules of AsyncAPI's own authors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from '@hyperjump/json-schema/draft-2020-12';
import { makeAsyncApiDocument } from '../asyncapi/document.js';
import { operations } from '../operations/operations.js';
import { makeGoodsItemJsonSchema } from './json-schema.js';
import { aMessage } from './testing/a-message.js';

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

test('the JSON Schema is valid according to its meta-schema, which refuses an invalid one', async () => {
  const isSchema = await validate(META_SCHEMA);
  // The casts are true because the schema is JSON.
  const schema = makeGoodsItemJsonSchema() as Record<string, never>;
  const output = isSchema(schema, 'BASIC');
  assert.ok(output.valid, JSON.stringify(output));
  assert.ok(!isSchema({ ...schema, required: 'metadata' }).valid);
});

test('every object of the JSON Schema refuses other members', () => {
  const objects: unknown[] = [];
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('type' in part && part.type === 'object') objects.push(part);
    for (const member of Object.values(part)) collect(member);
  };
  collect(makeGoodsItemJsonSchema());
  assert.ok(objects.length >= 18);
  for (const part of objects)
    assert.equal(Reflect.get(Object(part), 'additionalProperties'), false);
});

test('the AsyncAPI document names the channels and the server', () => {
  const document = makeAsyncApiDocument({ version: '1.2.3', serverUrl: 'https://customs.example' });
  const { channels, servers } = JSON.parse(JSON.stringify(document));
  assert.deepEqual(
    Object.values<{ address: string }>(channels).map(({ address }) => address),
    [
      operations.listGoodsItems.path,
      'customs.goods-items.{direction}.{chapter}',
      'customs.goods-item-views.{organisation}',
      'customs.routing-signals.{organisation}',
    ],
  );
  assert.equal(servers.http.host, 'customs.example');
});

test('scopes have the configured prefix', () => {
  const text = JSON.stringify(makeAsyncApiDocument({ version: '1', scopePrefix: 'toll:' }));
  assert.match(text, /`toll:declaration\.feed`/);
  assert.doesNotMatch(text, /`customs:/);
});

test('a validator of JSON Schema accepts a valid message and refuses an invalid one', async () => {
  const { registerSchema, unregisterSchema } = await import('@hyperjump/json-schema/draft-2020-12');
  const schema = makeGoodsItemJsonSchema();
  const id = String(schema.$id);
  registerSchema(schema as Record<string, never>, id);
  const isMessage = await validate(id);
  assert.ok(isMessage(aMessage() as never).valid);
  assert.ok(!isMessage(aMessage({ data: undefined }) as never).valid);
  unregisterSchema(id);
});
