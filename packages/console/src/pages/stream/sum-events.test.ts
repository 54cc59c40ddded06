// Sums without errors of binary fractions, and rows that a spreadsheet reads as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamEvent } from './stream-event.js';
import { eventsAsCsv, sumAdded } from './sum-events.js';

const event = (type: StreamEvent['type'], declaration: string, mass: number): StreamEvent => ({
  text: '{}',
  id: 'e',
  type,
  created: '2026-01-01T00:00:00Z',
  item: {
    ...{ declaration, number: 1, direction: 'I', commodity: '01012100' },
    ...{ grossMass: mass, netMass: 0.1, value: 0.2 },
  },
});

test('what was added is summed exactly, without removals', () => {
  const events = [
    event('ITEM_ADDED', 'a', 0.1),
    event('ITEM_ADDED_NO_HISTORY', 'a', 0.2),
    event('ITEM_REMOVED', 'a', 5),
  ];
  assert.deepEqual(sumAdded(events), { added: 2, grossMass: 0.3, netMass: 0.2, value: 0.4 });
  assert.equal(sumAdded([]).added, 0);
});

test('sums of many have no error of binary fractions', () => {
  // 1.005 kg times 1000 are 1004.9999999999999 in binary fractions, and three of them are not 3015.
  const three = (mass: number) => Array(3).fill(event('ITEM_ADDED', 'a', mass));
  assert.equal(sumAdded(three(1.005)).grossMass, 3.015);
  assert.equal(sumAdded(three(64.1)).grossMass, 192.3);
});

test('a spreadsheet gets one row for each event, and runs nothing', () => {
  const bare: StreamEvent = { text: '{}', id: 'b', type: 'ITEM_REMOVED', created: 'now' };
  const lines = eventsAsCsv([
    event('ITEM_ADDED', '=1+1', 0.1),
    event('ITEM_ADDED', 'a"b,c', 1),
    bare,
  ])
    .trimEnd()
    .split('\r\n');
  assert.equal(lines.length, 4);
  assert.match(
    lines[1] ?? '',
    /^e,ITEM_ADDED,2026-01-01T00:00:00Z,'=1\+1,1,I,01012100,0\.1,0\.1,0\.2$/,
  );
  assert.match(lines[2] ?? '', /,"a""b,c",/);
  assert.equal(lines[3], 'b,ITEM_REMOVED,now,,,,,,,');
});
