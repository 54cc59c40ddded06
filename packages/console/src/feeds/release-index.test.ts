import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutingSignal } from '@landfall/client';
import { ReleaseIndex } from './release-index.js';

const signal = (documentNumber: string, changed: Partial<RoutingSignal> = {}): RoutingSignal => ({
  entrySummaryDeclarationMRN: '23NO00000000000001',
  transportDocumentHouseLevel: { documentNumber, referenceNumber: documentNumber, type: 'N740' },
  routingResult: { id: documentNumber, routing: 'TO_ENTRY', documentIssueDate: '' },
  ...changed,
});

const documentsOf = (signals: readonly RoutingSignal[]) =>
  signals.map(({ transportDocumentHouseLevel }) => transportDocumentHouseLevel.documentNumber);

test('a consignment is found by each of its identifiers, also typed in small letters with blanks', () => {
  const index = new ReleaseIndex();
  index.add(signal('HC1', { receptacleId: 'REC1', containerId: ['CON1', 'CON2'] }));
  for (const identifier of ['hc1', ' 23no 00000000000001', 'REC1', 'con2']) {
    assert.deepEqual(documentsOf(index.find(identifier)), ['HC1'], identifier);
  }
  assert.deepEqual(index.find('HC'), []);
});

test('a document is found in any spelling; goods that differ in nothing else are both found', () => {
  const index = new ReleaseIndex();
  index.add(signal('HC 1'));
  index.add(signal('hc1'));
  assert.deepEqual(documentsOf(index.find('HC\u00a01')), ['HC 1', 'hc1']);
  assert.equal(index.size, 2);
});

test('goods of an ENS and goods that were lodged are two, although their document is one', () => {
  const index = new ReleaseIndex();
  const ens = signal('HC1');
  const { entrySummaryDeclarationMRN: _, ...lodged } = ens;
  index.add(ens);
  index.add({ ...lodged, houseConsignmentMRN: '26NO7K2M4Q9XWR5HT0' });
  index.add({ ...lodged, houseConsignmentMRN: '26NO7K2M4Q9XWR5HT0' });
  index.add({ ...lodged, houseConsignmentMRN: '26NO8K2M4Q9XWR5HT5' });
  assert.equal(index.find('HC1').length, 3);
  assert.equal(index.find('26no7k2m4q9xwr5ht0').length, 1);
});

test('the last signal of a consignment replaces the earlier one, also by identifiers that it no longer has', () => {
  const index = new ReleaseIndex();
  index.add(signal('HC1', { receptacleId: 'REC1' }));
  index.add(signal('HC1', { receptacleId: 'REC2' }));
  assert.deepEqual(index.find('REC1'), []);
  assert.equal(index.find('REC2').length, 1);
  assert.equal(index.size, 1);
});

test('when there are too many, the consignment whose signal is oldest is dropped', () => {
  const index = new ReleaseIndex(2);
  for (const document of ['HC1', 'HC2', 'HC1', 'HC3']) index.add(signal(document));
  assert.deepEqual(index.find('HC2'), []);
  assert.deepEqual(documentsOf(index.find('23NO00000000000001')), ['HC1', 'HC3']);
});

test('a large index drops a hundredth at once, and keeps the newest', () => {
  const index = new ReleaseIndex(200);
  for (let number = 1; number <= 201; number++) index.add(signal(`HC${number}`));
  assert.equal(index.size, 198);
  assert.deepEqual(index.find('HC3'), []);
  assert.equal(index.find('HC4').length, 1);
  assert.equal(index.find('HC201').length, 1);
});
