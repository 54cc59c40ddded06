// Reference documents: every broken rule of a line has its member, and two spellings are one document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ReferenceDocument } from './movement/registers.js';
import { documentOfKey, keyOfDocument, readReferenceDocument } from './read-reference-document.js';

const declaration = {
  kind: 'CUDE',
  declarantNumber: '123456789',
  declarationDate: '2022-08-10',
  sequenceNumber: '1',
  state: 'VALID',
} as const;
const transit = { kind: 'N820', referenceNumber: '26SE0000000000001J', state: 'VALID' } as const;

/** The errors of a value, each as `field CODE`. */
const errorsOf = (value: unknown) => {
  const read = readReferenceDocument(value);
  return 'errors' in read ? read.errors.map(({ field, code }) => `${field} ${code}`) : [];
};

test('a document of each kind is read, and what a list shows of it is ignored', () => {
  for (const document of [
    declaration,
    transit,
    { ...transit, kind: 'AES_EXPORT' },
    { ...transit, kind: 'EIDR_EXPORT', state: 'INVALID' },
    { ...transit, kind: 'VOEC', referenceNumber: '2056550' },
  ]) {
    assert.deepEqual(readReferenceDocument(document), { document });
    const shown = { reference: 'x', registeredAt: 'x', changedAt: 'x' };
    assert.deepEqual(errorsOf({ ...document, ...shown }), []);
  }
});

test('every broken rule is reported with its member', () => {
  const cases: [unknown, string[]][] = [
    [[], [' FORMAT']],
    [{}, ['kind REQUIRED', 'state REQUIRED']],
    [{ kind: 'CUD', state: 'valid' }, ['kind UNKNOWN_CODE', 'state UNKNOWN_CODE']],
    [
      { kind: 'CUDE' },
      [
        'declarantNumber REQUIRED',
        'declarationDate REQUIRED',
        'sequenceNumber REQUIRED',
        'state REQUIRED',
      ],
    ],
    [{ ...declaration, declarantNumber: '12345678' }, ['declarantNumber FORMAT']],
    [{ ...declaration, declarationDate: '2022-02-30' }, ['declarationDate FORMAT']],
    [{ ...declaration, sequenceNumber: '1234567' }, ['sequenceNumber FORMAT']],
    [{ ...declaration, sequenceNumber: 1 }, ['sequenceNumber FORMAT']],
    [{ ...declaration, referenceNumber: '1' }, ['referenceNumber UNKNOWN_MEMBER']],
    [{ ...transit, referenceNumber: ' ' }, ['referenceNumber REQUIRED']],
    [{ ...transit, referenceNumber: 'x'.repeat(71) }, ['referenceNumber SIZE']],
    [{ ...transit, referenceNumber: 'a\u0000b' }, ['referenceNumber FORMAT']],
    [{ ...transit, sequenceNumber: '1' }, ['sequenceNumber UNKNOWN_MEMBER']],
  ];
  for (const [value, errors] of cases) {
    assert.deepEqual(errorsOf(value), errors, JSON.stringify(value));
  }
});

test('reading throws for no value', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      readReferenceDocument(value);
      readReferenceDocument({ ...transit, referenceNumber: value });
      readReferenceDocument({ ...declaration, sequenceNumber: value });
    }),
  );
});

test('two spellings are one document, and two documents have two keys', () => {
  const keyOf = (document: ReferenceDocument) => keyOfDocument(document).reference;
  assert.equal(keyOf(declaration), '123456789-10082022-1');
  assert.equal(keyOf({ ...declaration, sequenceNumber: '0001' }), keyOf(declaration));
  assert.notEqual(keyOf({ ...declaration, sequenceNumber: '10' }), keyOf(declaration));
  assert.equal(keyOf({ ...transit, referenceNumber: ' 26se 0000000000001j' }), keyOf(transit));
  assert.notEqual(keyOf({ ...transit, referenceNumber: '26SE0000000000001K' }), keyOf(transit));
});

test('the document of a key has that key', () => {
  const day = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10));
  fc.assert(
    fc.property(
      fc.integer({ min: 100_000_000, max: 99_999_999_999 }),
      day,
      fc.nat(999_999),
      (declarant, declarationDate, sequence) => {
        const document = {
          kind: 'CUDE',
          declarantNumber: String(declarant),
          declarationDate,
          sequenceNumber: String(sequence),
        } as const;
        assert.deepEqual(documentOfKey(keyOfDocument(document)), document);
      },
    ),
  );
  const key = { kind: 'VOEC', reference: '2056550' } as const;
  assert.deepEqual(keyOfDocument(documentOfKey(key)), key);
});
