// Tables are aligned and contain no control characters.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import picocolors from 'picocolors';
import { type Column, tableLines } from './table.js';

type Row = { name: string; count: number };

const columns: Column<Row>[] = [
  { heading: 'name', value: ({ name }) => name, colour: (_, colours) => colours.green },
  { heading: 'count', value: ({ count }) => String(count) },
];

it('columns are as wide as their contents', () => {
  const rows = [
    { name: 'a', count: 1 },
    { name: 'a long name', count: 20 },
  ];
  assert.deepEqual(tableLines(columns, rows, picocolors.createColors(false)), [
    'name         count',
    'a            1',
    'a long name  20',
  ]);
});

it('colours do not count as width', () => {
  const [, row] = tableLines(columns, [{ name: 'a', count: 1 }], picocolors.createColors(true));
  assert.equal(row, '\u001b[32ma   \u001b[39m  1');
});

it('control characters of values do not reach the terminal', () => {
  const rows = [{ name: '\u001b[2J\u0007', count: 1 }];
  assert.doesNotMatch(
    tableLines(columns, rows, picocolors.createColors(false)).join(''),
    /[\u0000-\u001f]/,
  );
});
