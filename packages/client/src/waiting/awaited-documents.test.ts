import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mrnOf } from '../contract/mrn-of.js';
import { AwaitedDocuments } from './awaited-documents.js';

const transportDocumentHouseLevel = { documentNumber: 'H1', type: 'N740' } as const;
const ens = '26NO00000000000001';
const lodged = '26NO7K2M4Q9XWR5HT0';

test('a document is awaited under the MRN of its ENS, or of the message with which it was lodged', () => {
  const awaited = new AwaitedDocuments([
    { transportDocumentHouseLevel, mrn: ens },
    { transportDocumentHouseLevel, mrn: lodged.toLowerCase() },
    { transportDocumentHouseLevel },
  ]);
  const found = (mrn: { entrySummaryDeclarationMRN: string } | { houseConsignmentMRN: string }) =>
    awaited.find({ transportDocumentHouseLevel, ...mrn }).map(({ index }) => index);
  assert.deepEqual(found({ entrySummaryDeclarationMRN: ens }), [0, 2]);
  assert.deepEqual(found({ houseConsignmentMRN: lodged }), [1, 2]);
});

test('goods that were removed have no MRN', () => {
  assert.equal(mrnOf({}), '');
});
