// The OpenAPI document has every operation, and its schemas accept what the service accepts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { isContainerId } from '../identifiers.js';
import { operations } from '../operations/operations.js';
import { presentationLevels } from '../presentation.js';
import { compileCheck } from '../validation.js';
import { makeOpenApiDocument } from './document.js';

const document = makeOpenApiDocument({ serverUrl: 'https://customs.example', version: '1.2.3' });

/** An independent JSON Schema validator, with the one format that the contract defines. */
function makeValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true });
  formats.default(ajv);
  ajv.addFormat('iso6346', isContainerId);
  ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components']);
  ajv.addSchema({ ...document, $id: 'https://customs.example/openapi.json' });
  return ajv;
}

test('the document has every operation once', () => {
  const text = JSON.stringify(document);
  for (const { operationId } of Object.values(operations)) {
    assert.equal(text.split(`"operationId":"${operationId}"`).length, 2, operationId);
  }
});

test('the document is the same each time, and is plain JSON', () => {
  const again = makeOpenApiDocument({ serverUrl: 'https://customs.example', version: '1.2.3' });
  assert.equal(JSON.stringify(again), JSON.stringify(document));
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
});

test('scopes have the configured prefix', () => {
  const text = JSON.stringify(
    makeOpenApiDocument({ serverUrl: '', version: '1', scopePrefix: 'toll:' }),
  );
  assert.match(text, /toll:movement\/entry/);
  assert.doesNotMatch(text, /customs:/);
});

for (const [level, { body }] of Object.entries(presentationLevels)) {
  test(`${level}: an independent validator accepts the same bodies as the service`, () => {
    const name = String(Reflect.get(body, '$id'));
    const accepts = makeValidator().getSchema(
      `https://customs.example/openapi.json#/components/schemas/${name}`,
    );
    assert.ok(accepts, name);
    const check = compileCheck(body);
    fc.assert(
      fc.property(almostPresentation, (value) => {
        assert.equal(accepts(value), check(value).valid);
      }),
      { numRuns: 1000 },
    );
  });
}

/** A value that is often, but not always, valid. */
function often(...right: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.jsonValue().filter((value) => value !== null) },
  );
}

const transportDocument = fc.record(
  { documentNumber: often('HC001', 'x'.repeat(71), ' ', 'a\u0000'), type: often('N740', 'N999') },
  { requiredKeys: [] },
);

const almostPresentation = fc.record(
  {
    requestId: often('4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01'),
    customsOfficeOfPresentation: often('NO351001', ' '),
    transportDocumentHouseLevel: fc.oneof(transportDocument, fc.string()),
    transportDocumentMasterLevel: fc.oneof(transportDocument, fc.string()),
    containerId: often('JARU0000010', 'JARU0000011'),
    receptacleId: often('GBASFZMLBKONAUN30001001019999'),
    mrn: often('23NO00000000000001'),
  },
  { requiredKeys: ['requestId', 'customsOfficeOfPresentation'] },
);
