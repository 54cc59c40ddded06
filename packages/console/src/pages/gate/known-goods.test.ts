// What is known of goods is the same after a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutingSignal } from '@landfall/client';
import { ReleaseIndex } from '../../feeds/release-index.js';
import { nothingKnown } from './decide-release.js';
import { describeKnownGoods, restoreKnownGoods } from './known-goods.js';

const signal: RoutingSignal = {
  entrySummaryDeclarationMRN: '23NO00000000000003',
  transportDocumentHouseLevel: { documentNumber: 'HC001', referenceNumber: 'HC001', type: 'N740' },
  routingResult: { id: '1', routing: 'TO_CONTROL', documentIssueDate: '' },
};
const checks = new Map([
  ['HC002', { release: nothingKnown('unknown'), at: new Date('2026-03-01T12:00:00Z') }],
]);
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

test('checks, signals and statuses are restored from the first description', () => {
  const releases = new ReleaseIndex();
  releases.add(signal);
  const [whole] = describeKnownGoods({ checks, feeds: { releases, statuses: [] } });
  const restored = restoreKnownGoods(asJson(whole));
  assert.deepEqual(asJson([...restored.checks]), asJson([...checks]));
  assert.deepEqual(restored.feeds?.releases.find('hc001'), [signal]);
});

test('the second description has the checks alone, never a part of the signals', () => {
  const releases = new ReleaseIndex();
  releases.add(signal);
  const [, checksAlone] = describeKnownGoods({ checks, feeds: { releases, statuses: [] } });
  const restored = restoreKnownGoods(asJson(checksAlone));
  assert.deepEqual(asJson([...restored.checks]), asJson([...checks]));
  assert.equal(restored.feeds, undefined);
  assert.equal(describeKnownGoods({ checks, feeds: undefined }).length, 1);
});

test('nothing is known from nothing', () => {
  assert.deepEqual(restoreKnownGoods(undefined), { checks: new Map(), feeds: undefined });
});
