// What is foretold of a decision, and where goods are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HouseConsignment, HouseConsignmentEvent } from '@landfall/client';
import { effectOfDecision } from './effect-of-decision.js';
import { findWhereabouts } from './find-whereabouts.js';

const [DECLARANT, CARRIER, OTHER] = ['0192:310000078', '0192:310000019', '0192:310000027'];

const expected: HouseConsignment = {
  id: '1',
  entrySummaryDeclarationMRN: '23NO00000000000003',
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: DECLARANT,
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  state: 'PRE_NOTIFIED',
};
const presented: HouseConsignment = {
  ...expected,
  state: 'PRESENTED',
  presented: { by: CARRIER, at: '2026-11-22T08:00:00.000Z', requestId: 'a' },
};
const control = { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' } as const;
const entry = { routing: 'TO_ENTRY', routingControlLocation: undefined } as const;

const event = (
  kind: HouseConsignmentEvent['event'],
  organisation: string,
  details = {},
): HouseConsignmentEvent => ({
  at: '2026-11-22T09:00:00.000Z',
  event: kind,
  organisation,
  details,
});

test('before goods are presented, signals wait', () => {
  assert.deepEqual(effectOfDecision(expected, [], control), {
    kind: 'decides',
    first: [],
    further: [],
    waits: true,
  });
});

test('the first decision on presented goods gives everybody who is connected a first signal', () => {
  const history = [event('PRESENTED', CARRIER), event('PRESENTED', OTHER)];
  assert.deepEqual(effectOfDecision(presented, history, entry), {
    kind: 'decides',
    first: [CARRIER, OTHER, DECLARANT],
    further: [],
    waits: false,
  });
  const represented = { ...presented, representative: OTHER };
  const effect = effectOfDecision(represented, [event('PRESENTED', CARRIER)], entry);
  assert.deepEqual(effect.kind === 'none' || effect.first, [CARRIER, DECLARANT, OTHER]);
});

test('another decision gives a further signal to those who had one', () => {
  const decided: HouseConsignment = { ...presented, state: 'SIGNALLED', routing: 'TO_ENTRY' };
  const history = [
    event('PRESENTED', CARRIER),
    event('SIGNALLED', CARRIER),
    event('SIGNALLED', DECLARANT),
    event('READ', OTHER),
  ];
  assert.deepEqual(effectOfDecision(decided, history, control), {
    kind: 'changes',
    first: [],
    further: [CARRIER, DECLARANT],
    waits: false,
  });
});

test('the same decision does nothing, and another place of control is another decision', () => {
  const decided: HouseConsignment = { ...presented, state: 'SIGNALLED', ...control };
  assert.deepEqual(effectOfDecision(decided, [], control), { kind: 'none' });
  const elsewhere = { ...control, routingControlLocation: 'AFTER_ENTRY' } as const;
  assert.equal(effectOfDecision(decided, [], elsewhere).kind, 'changes');
  const undetermined = { ...control, routingControlLocation: undefined };
  assert.equal(effectOfDecision(decided, [], undetermined).kind, 'changes');
});

test('goods are where they were presented last, and before that expected at the office of first entry', () => {
  const eta = '2026-11-22T10:00:00Z';
  assert.deepEqual(findWhereabouts({ ...expected, estimatedTimeOfArrival: eta }, []), {
    status: 'expected',
    office: 'NO351001',
    eta,
  });
  const at = (office: string) => ({ customsOfficeOfPresentation: office, level: 'CONTAINER' });
  const history = [
    event('PRESENTED', CARRIER, at('NO351001')),
    event('PRESENTED', OTHER, at('NO342001')),
  ];
  assert.deepEqual(findWhereabouts(presented, history), {
    status: 'presented',
    office: 'NO342001',
    level: 'CONTAINER',
    at: '2026-11-22T09:00:00.000Z',
    by: OTHER,
  });
});
