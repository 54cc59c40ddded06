// NDJSON is read the same however it is split into chunks, and an unreadable line affects no other.
import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { type NdjsonLine, readBlocks } from './ndjson.js';

/** The lines of a body that arrives in these chunks. */
async function readAll(chunks: readonly Uint8Array[], maxLines = 1000): Promise<NdjsonLine[][]> {
  const blocks: NdjsonLine[][] = [];
  const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const block of readBlocks(body, { lines: maxLines })) blocks.push(block);
  return blocks;
}

test('lines are complete wherever the chunks are split, and blocks are never too large', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.jsonValue()), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (values, sizes, maxLines, ended) => {
        // null is a blank line.
        const text = values.map((value) => (value === null ? '  ' : JSON.stringify(value)));
        const bytes = Buffer.from(text.join('\r\n') + (ended ? '\n' : ''));
        const chunks: Buffer[] = [];
        for (let start = 0, index = 0; start < bytes.length; index++) {
          const size = sizes[index % sizes.length] ?? 1;
          chunks.push(bytes.subarray(start, start + size));
          start += size;
        }
        const blocks = await readAll(chunks, maxLines);
        const expected = values.flatMap((value, index) =>
          // JSON does not distinguish some values, such as 0 and -0.
          value === null ? [] : [{ line: index + 1, value: JSON.parse(JSON.stringify(value)) }],
        );
        assert.deepEqual(
          blocks.flat().map(({ line, value }) => ({ line, value })),
          expected,
        );
        assert(blocks.every((block) => block.length > 0 && block.length <= maxLines));
      },
    ),
  );
});

test('a line that is not JSON, not UTF-8 or too long is reported with its number, and the next one is read', async () => {
  const lines = [
    Buffer.from('{"routing":'),
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from(`"${'x'.repeat(200_000)}"`),
    Buffer.from('17'),
  ];
  const body = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const chunks: Buffer[] = [];
  for (let start = 0; start < body.length; start += 16_384) {
    chunks.push(body.subarray(start, start + 16_384));
  }
  const read = (await readAll(chunks)).flat();
  assert.deepEqual(
    read.map((line) => ('unreadable' in line ? line.unreadable.error : line.value)),
    ['must be valid JSON', 'must be valid UTF-8', 'a line must not be longer than 65536 bytes', 17],
  );
  assert.deepEqual(
    read.map(({ line }) => line),
    [1, 2, 3, 4],
  );
});

test('a line is returned without waiting for a full block', async () => {
  const body = new PassThrough();
  const blocks = readBlocks(body, { lines: 1000 });
  for (const value of [1, 2]) {
    body.write(`${value}\n`);
    const block = await blocks.next();
    assert.deepEqual(block.value, [{ line: value, bytes: 1, value }]);
  }
  body.end();
  assert((await blocks.next()).done);
});

test('an aborted body is an error after the lines that arrived', async () => {
  const body = new PassThrough();
  const blocks = readBlocks(body, { lines: 1 });
  body.write('1\n2\n');
  assert.deepEqual((await blocks.next()).value, [{ line: 1, bytes: 1, value: 1 }]);
  body.destroy(new Error('aborted'));
  await assert.rejects(async () => {
    for await (const _ of blocks);
  }, /aborted/);
});

test('a body may fail at any time while a block is processed: whoever asks for the next one sees it', async () => {
  for (let before = 1; before <= 4; before++) {
    for (const after of [0, 1, 2]) {
      const body = new PassThrough();
      const blocks = readBlocks(body, { lines: 2 });
      body.write('1\n'.repeat(before));
      await blocks.next();
      body.write('2\n'.repeat(after));
      body.destroy(new Error('aborted'));
      // Longer than a promise may be rejected without a handler: that ends the process.
      await new Promise((resolve) => setTimeout(resolve, 20));
      await assert.rejects(async () => {
        for await (const _ of blocks);
      }, /aborted/);
    }
  }
});

test('a block of large lines has few of them', async () => {
  const lines = Array.from({ length: 10 }, () => Buffer.from(`"${'x'.repeat(98)}"\n`));
  const blocks: number[] = [];
  const limits = { lines: 100, bytes: 250 };
  for await (const block of readBlocks(Readable.from([Buffer.concat(lines)]), limits)) {
    blocks.push(block.length);
  }
  assert.deepEqual(blocks, [3, 3, 3, 1]);
});
