import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HouseConsignment } from '@landfall/client';
import {
  collectConsignments,
  MAX_COLLECTED,
  MAX_PAGES,
  sampleOf,
} from '../../consignments/collect-consignments.js';
import { isBlank, readFilter, toQuery, writeFilter } from './filter.js';
import { isAsListed, makeRun } from './new-run.js';
import { planDecisions } from './plan-decisions.js';

const consignment = (
  number: number,
  members: Partial<HouseConsignment> = {},
): HouseConsignment => ({
  id: String(number),
  entrySummaryDeclarationMRN: '23NO00000000000003',
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000019',
  transportDocumentHouseLevel: { documentNumber: `H${number}`, type: 'N740' },
  state: 'PRE_NOTIFIED',
  ...members,
});

const list = (count: number) => Array.from({ length: count }, (_, number) => consignment(number));

test('a filter is in its address, with codes as the service has them, and blank fields left out', () => {
  const filter = readFilter(
    new URLSearchParams({
      office: ' no351001',
      mrn: '23no 0000',
      organisation: ' a b ',
      other: 'x',
    }),
  );
  assert.deepEqual(writeFilter(filter), {
    office: 'NO351001',
    mrn: '23NO0000',
    organisation: 'a b',
  });
  assert.deepEqual(readFilter(new URLSearchParams(writeFilter(filter))).mrn, '23NO0000');
  assert.equal(isBlank(filter), false);
  assert.equal(isBlank(readFilter(new URLSearchParams({ office: ' ' }))), true);
});

test('times of a filter are those of the customs offices', () => {
  const filter = readFilter(new URLSearchParams({ from: '2026-07-01T12:00', to: 'soon' }));
  assert.deepEqual(toQuery(filter, 'Europe/Oslo'), {
    from: '2026-07-01T10:00:00.000Z',
    to: 'soon',
  });
});

test('a list is complete only if nothing else can match', async () => {
  const pages = (counts: readonly number[]) => {
    const left = [...counts];
    return async () => {
      const entries = list(left.shift() ?? 0);
      return { entries, next: left.length > 0 ? {} : undefined };
    };
  };
  const collect = (counts: readonly number[]) =>
    collectConsignments(pages(counts), {}, () => undefined);
  // A page may be empty although more follow.
  const all = await collect([2, 0, 3]);
  assert.deepEqual([all.consignments.length, all.extent], [5, 'all']);
  const exact = await collect([MAX_COLLECTED - 1, 1]);
  assert.deepEqual([exact.consignments.length, exact.extent], [MAX_COLLECTED, 'all']);
  const full = await collect([MAX_COLLECTED, 1]);
  assert.deepEqual([full.consignments.length, full.extent], [MAX_COLLECTED, 'more']);
  const over = await collect([MAX_COLLECTED - 1, 2]);
  assert.deepEqual([over.consignments.length, over.extent], [MAX_COLLECTED, 'more']);
  const rare = await collect(Array.from({ length: MAX_PAGES + 1 }, () => 0));
  assert.deepEqual([rare.consignments.length, rare.extent], [0, 'more']);
});

test('a sample is taken evenly from the whole list', () => {
  assert.deepEqual(sampleOf([1, 2, 3], 3), [1, 2, 3]);
  assert.deepEqual(sampleOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4), [0, 2, 5, 7]);
});

test('the effect counts what gets a decision, what changes, what stays, and what is signalled', () => {
  const control = { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' } as const;
  const consignments = [
    consignment(1),
    consignment(2, { state: 'PRESENTED' }),
    consignment(3, { state: 'SIGNALLED', routing: 'TO_ENTRY' }),
    consignment(4, { state: 'DECIDED', routing: 'TO_ENTRY' }),
    consignment(5, { state: 'DECIDED', routing: 'TO_CONTROL' }),
    consignment(6, { state: 'SIGNALLED', ...control }),
  ];
  assert.deepEqual(planDecisions(consignments, control), {
    undecided: 2,
    changed: [
      { routing: 'TO_ENTRY', routingControlLocation: undefined, count: 2 },
      { routing: 'TO_CONTROL', routingControlLocation: undefined, count: 1 },
    ],
    unchanged: 1,
    signalled: 2,
  });
});

test('a run is on exactly the list, says by what it was selected, and expects its number', () => {
  const run = makeRun(
    list(2),
    { office: 'NO351001', state: 'PRE_NOTIFIED' },
    { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' },
    ' seal broken ',
  );
  assert.deepEqual(run, {
    select: { office: 'NO351001', state: 'PRE_NOTIFIED', houseConsignmentIds: ['0', '1'] },
    routing: 'TO_CONTROL',
    routingControlLocation: 'ON_ENTRY',
    reason: 'seal broken',
    expectedCount: 2,
  });
});

test('a preview is as the list only with the same decisions', () => {
  const shown = [consignment(1), consignment(2, { routing: 'TO_ENTRY' })];
  const preview = {
    count: 2,
    undecided: 1,
    toControl: 0,
    toEntry: 1,
    needsConfirmation: false,
    houseConsignments: [],
  };
  assert(isAsListed(shown, preview));
  assert(!isAsListed(shown, { ...preview, toControl: 1, toEntry: 0 }));
  assert(!isAsListed(shown, { ...preview, count: 3, undecided: 2 }));
});
