// Lines are found wherever chunks end, and an invalid line does not affect others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineSplitter } from './line-splitter.js';

const tooLong = { field: '', error: 'too long', code: 'SIZE' } as const;

/** The lines of bytes that are cut into chunks at these indexes. */
function split(bytes: Uint8Array, cuts: readonly number[], maxLineBytes = 1000) {
  const splitter = new LineSplitter(maxLineBytes, tooLong);
  const indexes = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  const ordered = indexes.sort((one, other) => one - other);
  const found = ordered.flatMap((end, index) =>
    splitter.push(bytes.subarray(ordered[index - 1] ?? 0, end)),
  );
  return [...found, ...splitter.end()];
}

test('lines are read completely wherever chunks end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''))),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat()),
      (lines, end, cuts) => {
        const found = split(new TextEncoder().encode(lines.join(end)), cuts);
        const expected = lines.flatMap((line, index) =>
          /^[ \t\r]*$/.test(line) ? [] : [{ line: index + 1, found: line }],
        );
        assert.deepEqual(found, expected);
      },
    ),
  );
});

test('a line that is not UTF-8 or too long is reported by its number, and not kept', () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('one\n'),
    0xff,
    0x0a,
    ...new TextEncoder().encode(`\n${'å'.repeat(5000)}\nfive`),
  ]);
  for (let size = 1; size < 40; size++) {
    const cuts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
    assert.deepEqual(split(bytes, cuts), [
      { line: 1, found: 'one' },
      { line: 2, found: { error: { field: '', error: 'must be valid UTF-8', code: 'FORMAT' } } },
      { line: 4, found: { error: tooLong } },
      { line: 5, found: 'five' },
    ]);
  }
  const splitter = new LineSplitter(1000, tooLong);
  for (let chunk = 0; chunk < 100; chunk++) splitter.push(new Uint8Array(500).fill(0x78));
  assert.ok(splitter.pendingBytes <= 1500);
});

test('a line that is too long is reported although it begins with white space, wherever chunks end', () => {
  const bytes = new TextEncoder().encode(`${' '.repeat(40)}{}\n{}`);
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(
      split(bytes, [cut, cut + 2], 10),
      [
        { line: 1, found: { error: tooLong } },
        { line: 2, found: '{}' },
      ],
      `${cut}`,
    );
  }
});

test('a line that arrives byte by byte takes little more memory than its bytes', () => {
  const bytes = 500_000;
  const splitter = new LineSplitter(bytes, tooLong);
  const piece = new TextEncoder().encode('x');
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < bytes; count++) splitter.push(piece);
  const taken = process.memoryUsage().heapUsed - before;
  assert(taken < 20 * 1024 * 1024, `${taken} bytes`);
  assert.equal(String(splitter.end()[0]?.found).length, bytes);
});
