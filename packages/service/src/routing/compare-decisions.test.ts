// Decisions that change something, by their order in a block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareDecisions, type DecidedRow, type Decision } from './compare-decisions.js';

const decide = (
  routing: Decision['routing'],
  routingControlLocation?: 'ON_ENTRY' | 'AFTER_ENTRY',
): Decision => ({
  transportDocumentHouseLevel: { documentNumber: 'H1', type: 'N740' },
  routing,
  ...(routingControlLocation && { routingControlLocation }),
});
const row = (current: Partial<DecidedRow> = {}): DecidedRow => ({
  houses: 1,
  house: 'a',
  routing: null,
  location: null,
  decisions: 0,
  parties: [1, 2],
  recipients: [2, 3],
  ...current,
});

test('each decision is compared with the one before it, and only the last one of a house consignment applies', () => {
  const decisions = [
    decide('TO_ENTRY'),
    decide('TO_CONTROL', 'ON_ENTRY'),
    decide('TO_CONTROL', 'ON_ENTRY'),
    decide('TO_ENTRY'),
  ];
  const rows = decisions.map(() => row({ routing: 'TO_ENTRY', decisions: 4 }));
  const { results, changes, affected } = compareDecisions(decisions, rows, false);
  assert.deepEqual(
    results.map(({ changed, signals }) => [changed, signals]),
    [
      [false, 0],
      [true, 2],
      [false, 0],
      [true, 2],
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
  const current = row({ routing: 'TO_CONTROL', location: 'ON_ENTRY' });
  const { results } = compareDecisions([decide('TO_CONTROL', 'AFTER_ENTRY')], [current], false);
  assert.equal(results[0]?.changed, true);
});

test('what is decided is skipped if only undecided goods are decided, and affects nobody', () => {
  const rows = [row({ routing: 'TO_ENTRY' }), row({ house: 'b', recipients: [] })];
  const decisions = [decide('TO_CONTROL'), decide('TO_CONTROL')];
  const { results, changes, affected } = compareDecisions(decisions, rows, true);
  assert.deepEqual(
    results.map(({ changed }) => changed),
    [false, true],
  );
  assert.deepEqual(
    changes.map(({ house }) => house),
    ['b'],
  );
  assert.deepEqual([...affected], [1, 2]);
});

test('a reference that leads to none or several changes nothing', () => {
  const rows = [row({ houses: 0, house: null }), row({ houses: 2, house: null })];
  const { results, changes } = compareDecisions(
    [decide('TO_ENTRY'), decide('TO_ENTRY')],
    rows,
    false,
  );
  assert.deepEqual(
    results.map(({ houses, changed }) => [houses, changed]),
    [
      [0, false],
      [2, false],
    ],
  );
  assert.equal(changes.length, 0);
});
