// A part is produced when the one before was written, in pieces, and not earlier.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PartsResponse } from './parts-response.js';

test('a part is produced when all pieces of the one before were written', async () => {
  let produced = 0;
  async function* produce(): AsyncGenerator<Buffer> {
    for (; produced < 3; ) {
      produced++;
      yield Buffer.alloc(150 * 1024, produced);
    }
  }
  const written: Buffer[] = [];
  let accept: () => void = () => undefined;
  const connection = new Writable({
    highWaterMark: 16 * 1024,
    write: (piece: Buffer, _encoding, done) => {
      written.push(piece);
      accept = done;
    },
  });
  const response = new PartsResponse(produce());
  response.pipe(connection);
  const settle = async () => {
    for (let turns = 0; turns < 20; turns++) await turn();
  };
  for (let part = 1; part <= 3; part++) {
    for (let piece = 1; piece <= 3; piece++) {
      await settle();
      assert.equal(produced, part);
      assert.equal(written.length, (part - 1) * 3 + piece);
      assert((written.at(-1)?.length ?? 0) <= 64 * 1024);
      accept();
    }
  }
  await settle();
  assert(response.readableEnded);
  assert.equal(Buffer.concat(written).length, 3 * 150 * 1024);
});

test('a response that is destroyed ends what produces it', async () => {
  let ended = false;
  async function* produce(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.alloc(10);
    } finally {
      ended = true;
    }
  }
  const response = new PartsResponse(produce());
  response.once('data', () => response.destroy());
  await new Promise((resolve) => response.once('close', resolve));
  assert(ended);
});
