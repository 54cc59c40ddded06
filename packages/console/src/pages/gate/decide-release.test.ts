import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReleaseCheck, RoutingSignal, ValidationStatus } from '@landfall/client';
import {
  decideByCheck,
  decideBySignals,
  nothingKnown,
  type Release,
  stricter,
} from './decide-release.js';

const MRN = '23NO00000000000003';

const signal = (
  documentNumber: string,
  routingResult: Partial<RoutingSignal['routingResult']>,
): RoutingSignal => ({
  entrySummaryDeclarationMRN: MRN,
  transportDocumentHouseLevel: { documentNumber, referenceNumber: documentNumber, type: 'N740' },
  routingResult: {
    id: documentNumber,
    routing: 'TO_ENTRY',
    documentIssueDate: '',
    ...routingResult,
  },
});

const entry = signal('HC001', {});
const control = signal('HC002', { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' });

const presented = (houseConsignments: number): ValidationStatus => ({
  requestId: '',
  status: 'SUCCESS',
  level: 'ENTRY_SUMMARY_DECLARATION',
  notificationDate: '',
  mrn: MRN,
  houseConsignments,
});

const check = (changed: Partial<ReleaseCheck>): ReleaseCheck => ({
  outcome: 'UNKNOWN',
  toEntry: 0,
  toControl: 0,
  undecided: 0,
  notPresented: 0,
  complete: true,
  houseConsignments: [],
  ...changed,
});

test('goods whose signal is entry may be released', () => {
  const release = decideBySignals('hc001', [entry], []);
  assert.equal(release.outcome, 'release');
  assert(!release.isAggregate);
});

test('goods are listed with the MRN under which they are', () => {
  const { entrySummaryDeclarationMRN: _, ...lodged } = entry;
  const mrn = '26NO7K2M4Q9XWR5HT0';
  const signals = [entry, { ...lodged, houseConsignmentMRN: mrn }];
  const mrns = (release: Release) => release.consignments.map((each) => each.mrn);
  assert.deepEqual(mrns(decideBySignals('HC001', signals, [])), [MRN, mrn]);
  const houseConsignments = signals.map((each) => ({ ...each, state: 'TO_ENTRY' as const }));
  assert.deepEqual(mrns(decideByCheck('HC001', check({ houseConsignments }))), [MRN, mrn]);
});

test('one consignment that goes to control decides for all', () => {
  const release = decideBySignals(MRN, [entry, control], [presented(2)]);
  assert.equal(release.outcome, 'control');
  assert.equal(release.location, 'ON_ENTRY');
  assert(release.isAggregate);
});

test('of many consignments, those that go to control are listed first', () => {
  const entries = Array.from({ length: 60 }, (_, number) => signal(`HC1${number}`, {}));
  const { consignments, counts } = decideBySignals(MRN, [...entries, control], []);
  assert.equal(consignments[0]?.documentNumber, 'HC002');
  assert.equal(consignments.length, 50);
  assert.deepEqual([counts.TO_ENTRY, counts.TO_CONTROL], [60, 1]);
});

test('where the control is, is not said if signals differ', () => {
  const later = signal('HC003', { routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' });
  const release = decideBySignals(MRN, [control, later], []);
  assert.equal(release.outcome, 'control');
  assert.equal(release.location, undefined);
});

test('a declaration of which a presented consignment has no signal is not decided', () => {
  assert.equal(decideBySignals(MRN, [entry], [presented(2)]).outcome, 'undecided');
  assert.equal(decideBySignals(MRN, [], [presented(1)]).outcome, 'undecided');
  assert.equal(decideBySignals(MRN, [entry], [presented(1)]).outcome, 'release');
});

test('a refused presentation says nothing of the goods', () => {
  const refused: ValidationStatus = { ...presented(1), status: 'FAILURE' };
  assert.equal(decideBySignals(MRN, [], [refused]).outcome, 'unknown');
});

test('only a check that says TO_ENTRY releases', () => {
  for (const outcome of [
    'TO_CONTROL',
    'ENTRY_PENDING',
    'ENTRY_DENIED',
    'UNDECIDED',
    'NOT_PRESENTED',
    'TOO_MANY',
    'UNKNOWN',
  ] as const) {
    assert.notEqual(decideByCheck(MRN, check({ outcome })).outcome, 'release', outcome);
  }
  assert.equal(decideByCheck(MRN, check({ outcome: 'TO_ENTRY', toEntry: 1 })).outcome, 'release');
});

test('a check of several consignments has their counts and those that it lists', () => {
  const houseConsignments = [
    { ...entry, state: 'UNDECIDED' as const },
    { ...control, state: 'TO_ENTRY' as const },
  ];
  const release = decideByCheck(
    'MAWB0003',
    check({ outcome: 'UNDECIDED', toEntry: 7, undecided: 2, houseConsignments }),
  );
  assert(release.isAggregate);
  assert.deepEqual(release.counts, {
    TO_ENTRY: 7,
    TO_CONTROL: 0,
    ENTRY_PENDING: 0,
    ENTRY_DENIED: 0,
    UNDECIDED: 2,
    NOT_PRESENTED: 0,
  });
  assert.deepEqual(
    release.consignments.map(({ documentNumber, state }) => [documentNumber, state]),
    [
      ['HC001', 'UNDECIDED'],
      ['HC002', 'TO_ENTRY'],
    ],
  );
});

test('of an older and a newer result, the more restrictive one counts, unless it has nothing of them', () => {
  const released = decideBySignals('HC001', [entry], []);
  const controlled = decideBySignals('HC002', [control], []);
  assert.equal(stricter(released, controlled), controlled);
  assert.equal(stricter(controlled, released), controlled);
  for (const outcome of ['unknown', 'unavailable'] as const) {
    assert.equal(stricter(nothingKnown(outcome), released), released);
    assert.equal(stricter(released, nothingKnown(outcome)), released);
  }
});
