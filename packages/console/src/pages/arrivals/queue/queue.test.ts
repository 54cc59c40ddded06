// What the queue shows, in which order, what has changed since, and what is selected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UndecidedArrival } from '@landfall/client';
import { compareQueues } from './compare-queues.js';
import { makeQueueRun } from './queue-decision.js';
import { arrange, isFiltered, readView, writeView } from './queue-filter.js';
import { selectRange, toggle } from './selection.js';

const ZONE = 'Europe/Oslo';

const arrival = (number: number, members: Partial<UndecidedArrival> = {}): UndecidedArrival => ({
  id: `id-${number}`,
  presentedAt: `2026-07-01T10:0${number}:00.000Z`,
  customsOfficeOfPresentation: 'NO351001',
  customsOfficeOfFirstEntry: 'NO342001',
  declarant: '0192:310000019',
  entrySummaryDeclarationMRN: `26NO0000000000000${number}`,
  transportDocumentHouseLevel: { documentNumber: `H${number}`, type: 'N740' },
  ...members,
});

const arrivals = [
  arrival(1, { containerId: ['JARU0000010', 'JARU0000026'] }),
  arrival(2, { customsOfficeOfPresentation: 'NO323001', declarant: '0192:310000078' }),
  arrival(3, { receptacleId: 'GBASFZMLBKONAUN30001001019999' }),
  arrival(4, { customsOfficeOfFirstEntry: 'SE070000' }),
];

const found = (address: Record<string, string>) =>
  arrange(arrivals, readView(new URLSearchParams(address)), ZONE).map(({ id }) => id.slice(3));

test('each filter leaves what it matches, however it is spelled', () => {
  for (const [address, expected] of [
    [{}, '1234'],
    [{ document: 'h2' }, '2'],
    [{ document: '26no 0000000000000 3' }, '3'],
    [{ declarant: '310000078' }, '2'],
    [{ office: 'NO35' }, '134'],
    [{ firstEntry: 'se' }, '4'],
    [{ receptacle: 'gbas' }, '3'],
    [{ container: 'jaru 000002' }, '1'],
    // The times are those of the customs offices, in summer two hours ahead of UTC.
    [{ from: '2026-07-01T12:03' }, '34'],
    [{ to: '2026-07-01T12:03' }, '12'],
    [{ office: 'NO35', document: 'H3' }, '3'],
    [{ office: 'FR' }, ''],
  ] as const) {
    assert.equal(found(address).join(''), expected, JSON.stringify(address));
  }
});

test('the queue is sorted by each column, in both directions', () => {
  assert.deepEqual(found({ order: 'descending' }).join(''), '4321');
  for (const sort of ['document', 'mrn'] as const) {
    assert.equal(found({ sort }).join(''), '1234');
    assert.equal(found({ sort, order: 'descending' }).join(''), '4321');
  }
  assert.equal(found({ sort: 'office' }).join(''), '2134');
  assert.equal(found({ sort: 'declarant', order: 'descending' }).join(''), '2134');
});

test('goods that were lodged are found and sorted by the MRN of their message', () => {
  const { entrySummaryDeclarationMRN: _, ...rest } = arrival(5);
  const lodged = { ...rest, houseConsignmentMRN: '26NO7K2M4Q9XWR5HT0' };
  const idsOf = (address: Record<string, string>) =>
    arrange([lodged, ...arrivals], readView(new URLSearchParams(address)), ZONE).map(
      ({ id }) => id,
    );
  assert.deepEqual(idsOf({ document: '26no7k' }), ['id-5']);
  assert.equal(idsOf({ sort: 'mrn' }).at(-1), 'id-5');
});

test('the view is in the address, without what filters nothing', () => {
  const view = readView(new URLSearchParams({ office: 'NO35', sort: 'mrn', to: ' ', other: 'x' }));
  assert.deepEqual(writeView(view), { office: 'NO35', sort: 'mrn' });
  assert.deepEqual(readView(new URLSearchParams(writeView(view))).sort, 'mrn');
  assert(isFiltered(view));
  assert(!isFiltered(readView(new URLSearchParams({ sort: 'mrn', order: 'descending' }))));
});

test('a queue knows what is new and what waits no more', () => {
  const all = { arrivals, isMore: false };
  assert.deepEqual(compareQueues(all, all), { added: 0, left: new Set() });
  const now = { arrivals: [...arrivals.slice(1), arrival(5), arrival(6)], isMore: false };
  assert.deepEqual(compareQueues(all, now), { added: 2, left: new Set(['id-1']) });
  // What comes after the last one that was read may still wait.
  const part = { arrivals: arrivals.slice(1, 3), isMore: true };
  assert.deepEqual(compareQueues(all, part), { added: 0, left: new Set(['id-1']) });
});

test('one is selected, and everything between two in either direction', () => {
  const ids = ['a', 'b', 'c', 'd'];
  assert.deepEqual([...toggle(new Set(['a']), 'b')], ['a', 'b']);
  assert.deepEqual([...toggle(new Set(['a', 'b']), 'a')], ['b']);
  assert.deepEqual([...selectRange(new Set(['a']), ids, 'b', 'd')], ['a', 'b', 'c', 'd']);
  assert.deepEqual([...selectRange(new Set(), ids, 'd', 'b')], ['b', 'c', 'd']);
  assert.deepEqual([...selectRange(new Set(), ids, 'gone', 'b')], ['b']);
  assert.deepEqual([...selectRange(new Set(), ids, 'a', 'gone')], []);
});

test('a run is on exactly what was selected, if all of it still waits', () => {
  const decision = { routing: 'TO_CONTROL', routingControlLocation: undefined } as const;
  assert.deepEqual(makeQueueRun(arrivals.slice(0, 2), decision, ' a tip '), {
    select: { state: 'PRESENTED', houseConsignmentIds: ['id-1', 'id-2'] },
    routing: 'TO_CONTROL',
    reason: 'a tip',
    expectedCount: 2,
  });
});
