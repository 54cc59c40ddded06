// Documents of registers follow the rules of the contract, are different ones, and are the same for the same seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfDocument, readReferenceDocument, referenceDocumentKinds } from '@landfall/contract';
import { generateReferenceDocuments } from './reference-documents.js';

const options = { count: 5000, seed: 7 };

test('documents are valid, of every kind and state, and each is another one', () => {
  const all = [...generateReferenceDocuments(options)];
  assert.equal(all.length, options.count);
  for (const document of all) assert.deepEqual(readReferenceDocument(document), { document });
  const keys = all.map((document) => JSON.stringify(keyOfDocument(document)));
  assert.equal(new Set(keys).size, options.count);
  assert.deepEqual(new Set(all.map(({ kind }) => kind)), new Set<string>(referenceDocumentKinds));
  const invalid = all.filter(({ state }) => state === 'INVALID').length;
  assert(invalid > 50 && invalid < 500, String(invalid));
});

test('numbers have the forms that messages need', () => {
  const forms = { AES_EXPORT: /^[A-Z0-9]{18}$/, EIDR_EXPORT: /^\d{2}SE[A-Z0-9]{11}AE[A-Z0-9]$/ };
  for (const document of generateReferenceDocuments(options)) {
    if (document.kind === 'N820') assert.match(document.referenceNumber, /^[A-Z0-9]{18}$/);
    if (document.kind === 'AES_EXPORT' || document.kind === 'EIDR_EXPORT') {
      assert.match(document.referenceNumber, forms[document.kind]);
    }
  }
});

test('the same seed gives the same data, another seed different data', () => {
  const text = (seed: number) =>
    JSON.stringify([...generateReferenceDocuments({ count: 50, seed })]);
  assert.equal(text(7), text(7));
  assert.notEqual(text(7), text(8));
});
