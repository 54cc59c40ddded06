// What becomes of the decisions of a block: by their order, by who decides, and by what was seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecidedRouting, DecisionOrigin, RoutingControlLocation } from '@landfall/contract';
import {
  type CurrentRow,
  compareDecisions,
  type DecidedRow,
  type Decider,
  type Decision,
} from './compare-decisions.js';
import { isForTwo } from './decision-rules.js';

const decide = (
  routing: Decision['routing'],
  routingControlLocation?: 'ON_ENTRY' | 'AFTER_ENTRY',
  further: Partial<Decision> = {},
): Decision => ({
  transportDocumentHouseLevel: { documentNumber: 'H1', type: 'N740' },
  routing,
  ...(routingControlLocation && { routingControlLocation }),
  ...further,
});
const current = (further: Partial<CurrentRow> = {}): CurrentRow => ({
  number: 4,
  routing: 'TO_ENTRY',
  routingControlLocation: null,
  origin: 'ENGINE',
  organisationId: 1,
  clientId: 'engine',
  reason: null,
  decidedAt: '2026-01-01T00:00:00.000Z',
  ...further,
});
const row = (further: Partial<DecidedRow> = {}): DecidedRow => ({
  houses: 1,
  house: 'a',
  current: null,
  last: null,
  stored: null,
  parties: [1, 2],
  recipients: [2, 3],
  others: null,
  beside: null,
  ...further,
});
const by = (origin: DecisionOrigin, further: Partial<Decider> = {}): Decider => ({
  origin,
  organisationId: 1,
  clientId: 'engine',
  at: new Date(0),
  ...further,
});
const compare = (
  decisions: readonly Decision[],
  rows: readonly DecidedRow[],
  decider: Decider = by('ENGINE'),
) => compareDecisions(decisions, rows, decider, false);
const ID = '11111111-1111-4111-8111-111111111111';

test('each decision is compared with the one before it, and only the last one of a house consignment applies', () => {
  const decisions = [
    decide('TO_ENTRY'),
    decide('TO_CONTROL', 'ON_ENTRY'),
    decide('TO_CONTROL', 'ON_ENTRY'),
    decide('TO_ENTRY'),
  ];
  const rows = decisions.map(() => row({ current: current(), last: 4 }));
  const { results, changes, affected } = compare(decisions, rows);
  assert.deepEqual(
    results.map((result) => 'signals' in result && [result.status, result.number, result.signals]),
    [
      ['UNCHANGED', 4, 0],
      ['DECIDED', 5, 2],
      ['UNCHANGED', 5, 0],
      ['DECIDED', 6, 2],
    ],
  );
  assert.deepEqual(
    changes.map(({ number, isLast }) => [number, isLast]),
    [
      [5, false],
      [6, true],
    ],
  );
  assert.deepEqual([...affected], [1, 2, 3]);
});

test('a changed place of control is a change', () => {
  const before = current({ routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' });
  const { results } = compare([decide('TO_CONTROL', 'AFTER_ENTRY')], [row({ current: before })]);
  assert.equal(results[0]?.status, 'DECIDED');
});

test('what is decided is skipped if only undecided goods are decided, and affects nobody', () => {
  const rows = [row({ current: current() }), row({ house: 'b', recipients: [] })];
  const decisions = [decide('TO_CONTROL'), decide('TO_CONTROL')];
  const { results, changes, affected } = compareDecisions(decisions, rows, by('PROFILE'), true);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['UNCHANGED', 'DECIDED'],
  );
  assert.deepEqual(
    changes.map(({ house }) => house),
    ['b'],
  );
  assert.deepEqual([...affected], [1, 2]);
});

test('a reference that leads to none or several changes nothing', () => {
  const rows = [row({ houses: 0, house: null }), row({ houses: 2, house: null })];
  const { results, changes } = compare([decide('TO_ENTRY'), decide('TO_ENTRY')], rows);
  assert.deepEqual(results, [
    { status: 'REFUSED', problem: 'REFERENCE_NOT_FOUND' },
    { status: 'REFUSED', problem: 'REFERENCE_AMBIGUOUS' },
  ]);
  assert.equal(changes.length, 0);
});

test('an officer stands above a system, which replaces what it names', () => {
  const before = row({ current: current({ origin: 'OFFICER' }), last: 4 });
  const statuses = (further: Partial<Decision>, decider: Decider) =>
    compare([decide('TO_CONTROL', undefined, further)], [before], decider).results[0]?.status;
  assert.equal(statuses({}, by('ENGINE')), 'CONFLICT');
  assert.equal(statuses({ expected: 3 }, by('ENGINE')), 'CONFLICT');
  assert.equal(statuses({ expected: null }, by('ENGINE')), 'CONFLICT');
  assert.equal(statuses({ expected: 4 }, by('ENGINE')), 'DECIDED');
  assert.equal(statuses({}, by('ENGINE', { isAboveOfficers: true })), 'DECIDED');
  assert.equal(statuses({}, by('OFFICER')), 'DECIDED');
  assert.equal(statuses({ expected: 3 }, by('OFFICER')), 'CONFLICT');
});

test('a confirmation by somebody else, or for another reason, is stored and issues no signal', () => {
  const before = row({ current: current({ reason: 'weight' }), last: 4 });
  const confirm = (reason: string | undefined, decider: Decider) =>
    compare([decide('TO_ENTRY', undefined, { ...(reason && { reason }) })], [before], decider);
  for (const { results, changes } of [
    confirm('weight', by('OFFICER')),
    confirm('a tip', by('ENGINE')),
    confirm(undefined, by('ENGINE')),
    confirm('weight', by('ENGINE', { clientId: 'other' })),
  ]) {
    assert.deepEqual(results, [{ status: 'UNCHANGED', house: 'a', number: 5, signals: 0 }]);
    assert.deepEqual(
      changes.map(({ changesRouting, isLast }) => [changesRouting, isLast]),
      [[false, false]],
    );
  }
  assert.equal(confirm('weight', by('ENGINE')).changes.length, 0);
});

test('a decision that is sent again with its id has its first result, whatever was decided since', () => {
  const stored = {
    house: 'a',
    number: 2,
    routing: 'TO_ENTRY',
    routingControlLocation: null,
    signals: 3,
  } as const;
  const before = row({ current: current({ origin: 'OFFICER', routing: 'TO_CONTROL' }), stored });
  const again = compare([decide('TO_ENTRY', undefined, { decisionId: ID })], [before]);
  assert.deepEqual(again.results, [{ status: 'REPEATED', house: 'a', number: 2, signals: 3 }]);
  assert.equal(again.changes.length, 0);
  const other = compare([decide('TO_CONTROL', undefined, { decisionId: ID })], [before]);
  assert.deepEqual(other.results, [{ status: 'REFUSED', problem: 'DECISION_ID_REUSED' }]);
  const withdrawn = row({ houses: 0, house: null, stored });
  const gone = compare([decide('TO_ENTRY', undefined, { decisionId: ID })], [withdrawn]);
  assert.equal(gone.results[0]?.status, 'REPEATED');
});

test('a decision that is twice in one block is made once', () => {
  const decisions = [0, 1].map(() => decide('TO_CONTROL', undefined, { decisionId: ID }));
  const { results, changes } = compare(decisions, [row(), row()]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['DECIDED', 'REPEATED'],
  );
  assert.equal(changes.length, 1);
});

test('goods are undecided again unless they may have been released', () => {
  const reopen = (before: Partial<DecidedRow>) =>
    compare(
      [decide('UNDECIDED', undefined, { reason: 'a mistake' })],
      [row({ last: 4, ...before })],
      by('OFFICER'),
    ).results[0];
  assert.deepEqual(reopen({ current: current() }), { status: 'REFUSED', problem: 'RELEASED' });
  assert.equal(reopen({ current: current(), recipients: [] })?.status, 'DECIDED');
  const toControl = current({ routing: 'TO_CONTROL' });
  assert.deepEqual(reopen({ current: toControl }), {
    status: 'DECIDED',
    house: 'a',
    number: 5,
    signals: 0,
  });
  assert.equal(reopen({ current: null })?.status, 'UNCHANGED');
});

test('where two officers are needed, neither control nor a denial is left by one, and a denial not for a later control', () => {
  const routes: [DecidedRouting, RoutingControlLocation | null][] = [
    ['TO_CONTROL', 'ON_ENTRY'],
    ['TO_CONTROL', 'AFTER_ENTRY'],
    ['ENTRY_DENIED', null],
    ['ENTRY_PENDING', null],
    ['TO_ENTRY', null],
    ['UNDECIDED', null],
  ];
  const needsTwo = (from: DecidedRouting, to: DecidedRouting, location: string | null) => {
    if (from !== 'TO_CONTROL' && from !== 'ENTRY_DENIED') return false;
    if (from === 'ENTRY_DENIED' && location === 'AFTER_ENTRY') return true;
    return to !== 'TO_CONTROL' && to !== 'ENTRY_DENIED';
  };
  for (const [from, fromLocation] of routes) {
    for (const [to, toLocation] of routes) {
      const before = {
        routing: from,
        routingControlLocation: fromLocation,
        origin: 'OFFICER' as const,
      };
      const route = { routing: to, routingControlLocation: toLocation };
      const decider = { origin: 'OFFICER' as const, needsSecondOfficer: true };
      const what = `${from} ${fromLocation} to ${to} ${toLocation}`;
      assert.equal(isForTwo(decider, before, route), needsTwo(from, to, toLocation), what);
    }
  }
});
