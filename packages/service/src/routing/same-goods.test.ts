// Which control holds for goods beside those on which it was decided.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionOrigin, Routing } from '@landfall/contract';
import { controlFor, type MadeDecision } from './same-goods.js';

/** A decision on some second of a day, which was taken over at another one if that is given. */
function decision(origin: DecisionOrigin, routing: Routing, second: number, takenAt?: number) {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    number: 1,
    routing,
    routingControlLocation: null,
    origin,
    organisationId: 1,
    clientId: 'c',
    reason: 'looked at',
    decidedAt: at(takenAt ?? second),
    profile: null,
    profileVersion: null,
    rule: null,
    takenFrom: takenAt === undefined ? null : 'FIRST',
    firstDecidedAt: takenAt === undefined ? null : at(second),
  } satisfies MadeDecision;
}

const made = (current: MadeDecision) => ({ mrn: 'OTHER', current });
const byOfficer = (second?: number) => [
  { officerDecidedAt: second === undefined ? null : new Date(second * 1000).toISOString() },
];

test('a later release by a system stands against a system, and against an officer only if it has replaced what one decided later', () => {
  const released = decision('ENGINE', 'TO_ENTRY', 20);
  const officer = made(decision('OFFICER', 'TO_CONTROL', 10));
  const system = made(decision('ENGINE', 'TO_CONTROL', 10));
  assert.equal(controlFor(released, byOfficer(), [system]), undefined);
  assert.equal(controlFor(released, byOfficer(), [officer])?.origin, 'OFFICER');
  assert.equal(controlFor(released, byOfficer(5), [officer])?.origin, 'OFFICER');
  assert.equal(controlFor(released, byOfficer(15), [officer]), undefined);
});

test('an officer who has released goods later is not overruled, and one who has before is', () => {
  const control = made(decision('OFFICER', 'TO_CONTROL', 10));
  assert.equal(
    controlFor(decision('OFFICER', 'TO_ENTRY', 20), byOfficer(20), [control]),
    undefined,
  );
  assert.notEqual(
    controlFor(decision('OFFICER', 'TO_ENTRY', 5), byOfficer(5), [control]),
    undefined,
  );
});

test('what was taken over counts from when it was decided, and names the goods on which it was', () => {
  const taken = decision('ENGINE', 'TO_CONTROL', 10, 30);
  const released = decision('ENGINE', 'TO_ENTRY', 20);
  assert.equal(controlFor(released, byOfficer(), [made(taken)]), undefined);
  const [holds, later] = [
    decision('ENGINE', 'TO_ENTRY', 10, 30),
    decision('ENGINE', 'TO_CONTROL', 20),
  ];
  assert.notEqual(controlFor(holds, byOfficer(), [made(later)]), undefined);
  const again = controlFor(undefined, byOfficer(), [made(taken)]);
  assert.deepEqual(
    [again?.takenFrom, again?.firstDecidedAt, again?.reason],
    ['FIRST', taken.firstDecidedAt, 'looked at'],
  );
  const first = controlFor(undefined, byOfficer(), [made(decision('ENGINE', 'TO_CONTROL', 10))]);
  assert.deepEqual(
    [first?.takenFrom, first?.firstDecidedAt, first?.reason],
    [
      'OTHER',
      taken.firstDecidedAt,
      `Taken over from OTHER, decided at ${taken.firstDecidedAt}: looked at`,
    ],
  );
});

test('of equally strict controls the one that was decided later holds, in whatever order they are found', () => {
  const controls = [
    { mrn: 'A', current: decision('OFFICER', 'TO_CONTROL', 10) },
    { mrn: 'C', current: decision('OFFICER', 'TO_CONTROL', 20) },
    { mrn: 'B', current: decision('OFFICER', 'TO_CONTROL', 20) },
    { mrn: 'D', current: decision('ENGINE', 'TO_CONTROL', 30) },
  ];
  for (const order of [controls, controls.toReversed()]) {
    assert.equal(controlFor(undefined, byOfficer(), order)?.takenFrom, 'B');
  }
});
