// Server-sent events are complete however the network cuts them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { EventParser } from './event-parser.js';

const stream = [
  '\uFEFF: a comment\r\n\r\n',
  'id: 1\r\ndata: {"port":"Ålesund 🚢"}\r\n\r\n',
  'data: x\r\ndata: y\r\n\r\n',
  'data:two\ndata:  lines\nretry: 10\n\n',
  'id: 3\rdata\r\r',
  'id: no data\n\n',
  'event: other\ndata: left out\n\n',
  'event: message\ndata: a: b\n\n',
  'data: incomplete\n',
].join('');

const expected = ['{"port":"Ålesund 🚢"}', 'x\ny', 'two\n lines', '', 'a: b'];

/** Decodes and parses pieces of bytes, as they come from a response. */
function parse(pieces: readonly Uint8Array[]): string[] {
  const decoder = new TextDecoder();
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(decoder.decode(piece, { stream: true })));
}

test('events are the same wherever the stream is cut in two', () => {
  const bytes = Buffer.from(stream);
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(parse([bytes.subarray(0, cut), bytes.subarray(cut)]), expected, `at ${cut}`);
  }
});

test('events are the same when they arrive byte by byte', () => {
  assert.deepEqual(parse([...Buffer.from(stream)].map((byte) => Uint8Array.of(byte))), expected);
});

test('an event is complete as soon as its empty line is', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push('data: 1\r\n\r'), ['1']);
  assert.deepEqual(parser.push('\ndata: 2\n'), []);
  assert.deepEqual(parser.push('\n'), ['2']);
});

test('a long event takes time in proportion to its length', { timeout: 20_000 }, () => {
  const parser = new EventParser();
  const piece = 'x'.repeat(4096);
  const pieces = 6_000;
  parser.push('data: ');
  for (let count = 0; count < pieces; count++) assert.deepEqual(parser.push(piece), []);
  const [event = ''] = parser.push('\n\n');
  assert.equal(event.length, pieces * piece.length);
});
