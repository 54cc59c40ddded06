// Tables are aligned, fit the terminal, say what was cut, and contain no control characters.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import picocolors from 'picocolors';
import { type Column, Table } from './table.js';

type Row = { name: string; count: number };

const columns: Column<Row>[] = [
  { heading: 'name', value: ({ name }) => name, colour: (_, colours) => colours.green },
  { heading: 'count', value: ({ count }) => String(count) },
];

function makeTable(rows: Row[], { colour = false, maxWidth = Number.POSITIVE_INFINITY } = {}) {
  return new Table(columns, { rows, colours: picocolors.createColors(colour), maxWidth });
}

function linesOf(rows: Row[], maxWidth?: number): string[] {
  const table = makeTable(rows, maxWidth === undefined ? {} : { maxWidth });
  return [table.heading(), ...rows.map((row) => table.row(row))];
}

it('columns are as wide as their contents', () => {
  const rows = [
    { name: 'a', count: 1 },
    { name: 'a long name', count: 20 },
  ];
  assert.deepEqual(linesOf(rows), ['name         count', 'a            1', 'a long name  20']);
});

it('wide characters count twice, and marks not at all', () => {
  const rows = [
    { name: '北京海关', count: 1 },
    { name: 'e\u0301cole', count: 2 },
    { name: '📦 parcel', count: 3 },
  ];
  assert.deepEqual(linesOf(rows), [
    'name       count',
    '北京海关   1',
    'e\u0301cole      2',
    '📦 parcel  3',
  ]);
});

it('the widest column is cut to fit the terminal, and cut values are counted', () => {
  const rows = [
    { name: 'a very long name', count: 1 },
    { name: '北京海关总署', count: 2 },
    { name: 'short', count: 3 },
  ];
  const table = makeTable(rows, { maxWidth: 16 });
  const lines = rows.map((row) => table.row(row));
  assert.deepEqual(lines, ['a very l…  1', '北京海关…  2', 'short      3']);
  assert.equal(table.cut, 2);
  assert.equal(makeTable(rows).row({ name: 'x'.repeat(500), count: 1 }).length, 503);
});

it('colours do not count as width', () => {
  const rows = [{ name: 'a', count: 1 }];
  const table = makeTable(rows, { colour: true });
  assert.equal(table.row({ name: 'a', count: 1 }), '\u001b[32ma   \u001b[39m  1');
});

it('control characters of values do not reach the terminal', () => {
  assert.doesNotMatch(linesOf([{ name: '\u001b[2J\u0007', count: 1 }]).join(''), /[\u0000-\u001f]/);
});

it('values that turn the direction of writing do not turn what is beside them', () => {
  const [, turned = ''] = linesOf([{ name: 'A\u202e321', count: 1 }]);
  assert.doesNotMatch(turned, /\u202e/);
  const [, hebrew = ''] = linesOf([{ name: 'חברה 12', count: 1 }]);
  assert.match(hebrew, /\u2068חברה 12\u2069/);
  const table = makeTable([{ name: 'חברה'.repeat(100), count: 1 }], { maxWidth: 30 });
  assert.match(table.row({ name: 'חברה'.repeat(100), count: 1 }), /…\u2069 +1$/);
});
