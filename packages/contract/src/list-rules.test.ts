// Every rule of a schema is listed, in the words of its error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { GoodsItemMessage } from './goods-items/message.js';
import { aMessage } from './goods-items/testing/a-message.js';
import { listRules } from './list-rules.js';
import { compileCheck } from './validation.js';

/** The rules of a member, in their order. */
function rulesOf(field: string, message = aMessage()): string[] {
  return listRules(GoodsItemMessage, message)
    .filter((rule) => rule.field === field)
    .map(({ rule }) => rule);
}

test('a member has its type, codes, pattern, size and range', () => {
  const item = 'data.GoodsItem';
  assert.deepEqual(rulesOf(''), ['must be an object']);
  assert.deepEqual(rulesOf('metadata.eventId'), [
    'must not be null',
    'must be a string',
    'must be a UUID in lower case',
  ]);
  assert.deepEqual(rulesOf('metadata.version'), [
    'must not be null',
    'must be a string',
    'must be 0.10',
  ]);
  assert.deepEqual(rulesOf(`${item}.GoodsItemNumber`), [
    'must not be null',
    'must be an integer',
    'must be between 1 and 9007199254740991',
  ]);
  assert.deepEqual(rulesOf(`${item}.Declaration.Parties.Representative.Status`), [
    'must not be null',
    'must be an integer',
    'must be one of [2, 3]',
  ]);
  assert.deepEqual(rulesOf(`${item}.DutiesAndTaxes`), [
    'must be an array',
    'size must be between 0 and 99',
  ]);
});

test('the rules of absent members do not apply, and those of items are listed once', () => {
  const duties = 'data.GoodsItem.DutiesAndTaxes';
  const two = [{ TaxType: '1MV' }, { TaxType: '1MV', PayableTaxAmount: 1 }];
  assert.deepEqual(rulesOf(`${duties}.*.PayableTaxAmount`, aMessage({ [duties]: two })), [
    'must not be null',
    'must be a number',
  ]);
  for (const absent of [undefined, [], 'text', [1], [null]]) {
    assert.deepEqual(rulesOf(`${duties}.*.TaxType`, aMessage({ [duties]: absent })), []);
  }
  assert.deepEqual(rulesOf('data', aMessage({ data: undefined })), []);
  for (const value of [null, 1, 'text', []]) {
    assert.deepEqual(listRules(GoodsItemMessage, value), [
      { field: '', rule: 'must be an object' },
    ]);
  }
});

test('what an error reports of a member is one of its rules', () => {
  const schema = Type.Object({
    text: Type.String({ minLength: 2, maxLength: 3 }),
    code: Type.Enum(['A', 'B']),
    one: Type.Literal('A'),
    two: Type.String({ pattern: '^[0-9]{2}$' }),
    day: Type.String({ format: 'date' }),
    number: Type.Integer({ minimum: 1, maximum: 2 }),
    list: Type.Array(Type.Number(), { minItems: 1, maxItems: 2 }),
  });
  const value = {
    text: 'x',
    code: 'C',
    one: 'B',
    two: 'x',
    day: '2025-02-30',
    number: 3,
    list: [],
  };
  const rules = listRules(schema, value).map(({ field, rule }) => `${field} ${rule}`);
  const checked = compileCheck(schema)(value);
  assert(!checked.valid);
  assert.deepEqual(checked.errors.map(({ field }) => field).sort(), Object.keys(value).sort());
  for (const { field, error } of checked.errors) {
    assert(rules.includes(`${field} ${error}`), `${field} ${error}`);
  }
});
