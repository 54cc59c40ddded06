// The goods-item message is checked strictly, and every broken rule is reported with its member and code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGoodsItemCheck } from './message.js';
import { aMessage } from './testing/a-message.js';

const check = compileGoodsItemCheck();

/** The errors of a message, as `field code: sentence`. */
function errorsOf(message: unknown): string[] {
  const checked = check(message);
  return checked.valid
    ? []
    : checked.errors.map(({ field, code, error }) => `${field} ${code}: ${error}`).sort();
}

/** Whether a message with one changed member is accepted; the only error, if any, is about that member. */
function accepts(field: string, value: unknown): boolean {
  const errors = errorsOf(aMessage({ [field]: value }));
  assert.deepEqual(
    errors.map((error) => error.split(' ', 1)[0]),
    errors.length === 0 ? [] : [field],
  );
  return errors.length === 0;
}

const item = 'data.GoodsItem';

test('a complete message is accepted, and returned unchanged', () => {
  const message = aMessage();
  const checked = check(message);
  assert.ok(checked.valid);
  assert.equal(checked.value, message);
});

test('data may be absent for ITEM_REMOVED alone, and then relatedEventId must be there', () => {
  const absent = { data: undefined };
  const removed = { ...absent, 'metadata.eventType': 'ITEM_REMOVED' };
  const related = { 'metadata.relatedEventId': '00000000-0000-4000-8000-000000000001' };
  const needsData = ['data REQUIRED: must not be null'];
  assert.deepEqual(errorsOf(aMessage(absent)), needsData);
  assert.deepEqual(errorsOf(aMessage({ ...absent, ...related })), needsData);
  assert.deepEqual(errorsOf(aMessage(removed)), [
    'metadata.relatedEventId REQUIRED: must not be null',
  ]);
  assert.deepEqual(errorsOf(aMessage({ ...removed, ...related })), []);
  assert.ok(accepts('metadata.eventType', 'ITEM_REMOVED'));
});

test('all broken rules of a message are reported together', () => {
  const broken = aMessage({
    more: '',
    'metadata.version': '0.1',
    'metadata.eventId': '4A3FF6A0-6D0C-4F5A-9B1F-3F1D9D4F0A01',
    [`${item}.Declaration.DeclarationDate`]: '2025-02-30',
    [`${item}.Declaration.Parties.Representative.Status`]: 4,
    [`${item}.Declaration.Consignment.Consignor.Name`]: 'x'.repeat(71),
    [`${item}.CountryOfOrigin`]: null,
    [`${item}.GrossMass`]: '12',
    [`${item}.DutiesAndTaxes`]: [{ TaxType: 'A00', PayableTaxAmount: 1 }, { TaxType: '1MV' }],
    [`${item}.Procedure`]: undefined,
  });
  assert.deepEqual(errorsOf(broken), [
    'data.GoodsItem.CountryOfOrigin FORMAT: must be a string',
    'data.GoodsItem.Declaration.Consignment.Consignor.Name SIZE: size must be between 0 and 70',
    'data.GoodsItem.Declaration.DeclarationDate FORMAT: must be a date that exists (YYYY-MM-DD)',
    'data.GoodsItem.Declaration.Parties.Representative.Status UNKNOWN_CODE: must be one of [2, 3]',
    'data.GoodsItem.DutiesAndTaxes.0.TaxType FORMAT: must be a digit and two capital letters or digits',
    'data.GoodsItem.DutiesAndTaxes.1.PayableTaxAmount REQUIRED: must not be null',
    'data.GoodsItem.GrossMass FORMAT: must be a number',
    'data.GoodsItem.Procedure REQUIRED: must not be null',
    'metadata.eventId FORMAT: must be a UUID in lower case',
    'metadata.version UNKNOWN_CODE: must be 0.10',
    'more UNKNOWN_MEMBER: is not a member of the message',
  ]);
});

test('only existing dates and times are accepted, in UTC', () => {
  const days = {
    taken: ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'],
    refused: ['1900-02-29', '2025-02-30', '2025-00-01', '2025-13-01', '0000-02-29', '2025-1-1'],
  };
  for (const [outcome, dates] of Object.entries(days)) {
    for (const date of dates) {
      assert.equal(
        accepts(`${item}.Declaration.DateOfAcceptance`, date),
        outcome === 'taken',
        date,
      );
      const time = `${date}T23:59:59.123456789Z`;
      assert.equal(accepts('metadata.created', time), outcome === 'taken', time);
    }
  }
  for (const time of [
    '24:00:00Z',
    '10:60:00Z',
    '10:00:60Z',
    '10:00:00',
    '10:00:00+00:00',
    '10:00Z',
  ]) {
    assert.equal(accepts('metadata.created', `2025-01-01T${time}`), false, time);
  }
});

test('every date from 1896 to 2104 is accepted, and no other day of a month', () => {
  for (let year = 1896; year <= 2104; year++) {
    for (let month = 1; month <= 12; month++) {
      const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
      for (let day = 28; day <= 32; day++) {
        const date = `${year}-${String(month).padStart(2, '0')}-${day}`;
        assert.equal(
          check(aMessage({ [`${item}.Declaration.DeclarationDate`]: date })).valid,
          day <= length,
          date,
        );
      }
    }
  }
});

test('lengths are counted in characters, not in UTF-16 code units', () => {
  const name = `${item}.Declaration.Consignment.Consignee.Name`;
  assert.ok(accepts(name, '😀'.repeat(70)));
  assert.ok(!accepts(name, '😀'.repeat(71)));
});

test('unknown members are refused even if objects inherit a member of that name', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'a.b', '']) {
    const text = JSON.stringify(aMessage()).replace('{', `{${JSON.stringify(name)}:1,`);
    assert.deepEqual(errorsOf(JSON.parse(text)), [
      `${name} UNKNOWN_MEMBER: is not a member of the message`,
    ]);
  }
});

test('the name of an unknown member is shortened in its error', () => {
  const [error] = errorsOf(aMessage({ ['x'.repeat(1_000_000)]: 1 }));
  assert.equal(error?.indexOf(' '), 203);
});

test('a goods item has a number of at least 1', () => {
  const number = `${item}.GoodsItemNumber`;
  for (const taken of [1, 2, 99_999]) assert.ok(accepts(number, taken), String(taken));
  for (const refused of [0, -1, -(2 ** 53), 0.5])
    assert.ok(!accepts(number, refused), String(refused));
});

test('a value that is not an object is refused', () => {
  for (const value of [null, 1, 'text', [], true]) {
    assert.deepEqual(errorsOf(value), [' FORMAT: must be an object']);
  }
});

test('a number that is too large for a double is refused', () => {
  const text = JSON.stringify(aMessage()).replace('"GrossMass":12.5', '"GrossMass":1e999');
  assert.deepEqual(errorsOf(JSON.parse(text)), [
    'data.GoodsItem.GrossMass FORMAT: must be a number',
  ]);
});

test('texts have lines and any script, but no other control and no invisible characters', () => {
  const text = 'data.GoodsItem.Declaration.Consignment.Consignor.Name';
  const name = 'data.GoodsItem.Declaration.Consignment.Consignee.Name';
  for (const good of ['one\nline\tand another\r\n', 'חברה בע״מ 12', 'می\u200cخواهم', '😀', '']) {
    assert(accepts(text, good), good);
    assert(accepts(name, good), good);
  }
  for (const character of ['\u0000', '\u007f', '\u0085', '\u061c', '\u200f', '\u2028', '\u202e']) {
    assert(!accepts(text, `a${character}b`));
    assert(!accepts('metadata.source', `a${character}b`));
  }
  for (const half of ['\ud800', '\udc00', '\udc00\ud800']) assert(!accepts(name, half));
});
