// What is read of what scanners send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCode, readScan } from './read-scan.js';

test('frames, blanks and control characters of scanners are left out, and nothing else', () => {
  for (const [sent, expected] of [
    ['HC001', 'HC001'],
    [' hc 001 \r\n', 'hc 001'],
    [']C1HC001', 'HC001'],
    [']d2\u001dGBASFZ\u001d', 'GBASFZ'],
    ['*HC001*', 'HC001'],
    [']A0*HC001*', 'HC001'],
    ['*', '*'],
    ['**', '**'],
    ['A*B*', 'A*B*'],
    ['*AB', '*AB'],
    [']C', ']C'],
    ['', ''],
  ] as const) {
    assert.equal(readScan(sent), expected, JSON.stringify(sent));
  }
});

test('a code has no blanks and no small letters', () => {
  assert.equal(readCode('*jaru 000001 0*'), 'JARU0000010');
  assert.equal(readCode(' 23no 0000 0000 0000 03'), '23NO00000000000003');
});
