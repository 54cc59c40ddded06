// The text of a goods-item message: duplicate members, white space and length, which its schema does not restrict.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { GoodsItemMessage } from './message.js';
import { compileGoodsItemReader } from './read-message.js';
import { GOODS_ITEM_MESSAGE_LIMIT, GOODS_ITEM_WHITE_SPACE_LIMIT } from './stream.js';
import { aMessage } from './testing/a-message.js';

const read = compileGoodsItemReader();
const text = JSON.stringify(aMessage());

/** The errors of a text, as `field code`. */
function errorsOf(message: string): string[] {
  const found = read(message);
  return found.valid ? [] : found.errors.map(({ field, code }) => `${field} ${code}`);
}

test('a duplicate member is refused, even if both values are valid', () => {
  assert.deepEqual(errorsOf(text), []);
  const cases: [string, string, string][] = [
    [
      '"GoodsItemNumber":1',
      '"GoodsItemNumber":2,"GoodsItemNumber":1',
      'data.GoodsItem.GoodsItemNumber',
    ],
    ['"GrossMass":12.5', '"Gross\\u004dass":1,"GrossMass":12.5', 'data.GoodsItem.GrossMass'],
    ['"GrossMass":12.5', '"GrossMass":12.5,"GrossMass":12.5', 'data.GoodsItem.GrossMass'],
    [
      '"PayableTaxAmount":300',
      '"PayableTaxAmount":0,"PayableTaxAmount":300',
      'data.GoodsItem.DutiesAndTaxes.0.PayableTaxAmount',
    ],
    ['{"metadata"', '{"metadata":{},"metadata"', 'metadata'],
  ];
  for (const [member, twice, field] of cases) {
    const changed = text.replace(member, twice);
    assert.notEqual(changed, text);
    assert.deepEqual(errorsOf(changed), [`${field} FORMAT`], twice);
    // Parsers differ in which of the two values they use.
    JSON.parse(changed);
  }
});

test('a duplicate member is reported together with other broken rules', () => {
  const changed = text
    .replace('"GrossMass":12.5', '"GrossMass":1,"GrossMass":12.5')
    .replace('"CountryOfOrigin":"SE"', '"CountryOfOrigin":"se"');
  assert.deepEqual(errorsOf(changed), [
    'data.GoodsItem.GrossMass FORMAT',
    'data.GoodsItem.CountryOfOrigin FORMAT',
  ]);
});

test('white space between tokens is accepted up to its limit, and not counted within texts', () => {
  const spaced = text.replaceAll(/([,:])"/g, '$1 "');
  assert.deepEqual(errorsOf(spaced), []);
  assert.deepEqual(errorsOf(text + ' '.repeat(GOODS_ITEM_WHITE_SPACE_LIMIT)), []);
  assert.deepEqual(errorsOf(text + '\t'.repeat(GOODS_ITEM_WHITE_SPACE_LIMIT + 1)), [' SIZE']);
});

test('every message with valid members is short enough, and a page of 1000 fits in one string', () => {
  const largest = JSON.stringify(fill(GoodsItemMessage));
  const bytes = new TextEncoder().encode(largest).length;
  assert.ok(bytes > 100_000 && bytes <= GOODS_ITEM_MESSAGE_LIMIT, String(bytes));
  // The maximum length of a string of V8 on every platform, in UTF-16 code units.
  assert.ok(GOODS_ITEM_MESSAGE_LIMIT * 1000 < 2 ** 29 - 24);
  assert.deepEqual(errorsOf(' '.repeat(GOODS_ITEM_MESSAGE_LIMIT) + text), [' SIZE']);
});

type Limits = {
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  items?: TSchema;
  properties?: object;
};

/** A value with all members, with texts and lists of maximum length and characters of maximum size. */
function fill(schema: TSchema & Limits): unknown {
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, fill(part)]),
    );
  }
  if (schema.items !== undefined) {
    const item = fill(schema.items);
    return Array.from({ length: schema.maxItems ?? 99 }, () => item);
  }
  if ('type' in schema && schema.type === 'string') {
    const isFree = new RegExp(schema.pattern ?? '', 'u').test('😀');
    return (isFree ? '😀' : 'X').repeat(schema.maxLength ?? 70);
  }
  return Number.MIN_SAFE_INTEGER;
}
