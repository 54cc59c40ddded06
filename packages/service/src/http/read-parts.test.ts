// A body of parts is read the same however it is cut into chunks, and whatever it has, reading it ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { BOUNDARY, MULTIPART_TYPE, makeMultipart } from '../testing/multipart.js';
import { HttpError, ValidationFailedError } from './problem.js';
import { type PartRule, readParts } from './read-parts.js';

const rules: readonly PartRule[] = [
  { name: 'metadata', maxBytes: 100, tooLong: new HttpError(413, 'metadata') },
  { name: 'file', maxBytes: 1_000_000, tooLong: new HttpError(413, 'file') },
];

async function* cut(body: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let index = 0; at < body.length; index++) {
    const end = at + (sizes[index % sizes.length] ?? 1);
    yield body.subarray(at, end);
    at = end;
    await nextTurn();
  }
}

const read = (body: Buffer, sizes = [body.length], maxBytes = 2_000_000) =>
  readParts(cut(body, sizes), {
    ...{ contentType: MULTIPART_TYPE, rules, maxBytes, count: () => undefined },
  });

test('chunks may end anywhere, and the file may have anything', async () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom('', '\r\n', '--', `\r\n--${BOUNDARY.slice(0, -1)}`, '\r\n--\r\n--'),
  );
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      async (given, sizes) => {
        const expected = Buffer.from(given);
        const parts = await read(
          makeMultipart([
            { name: 'metadata', content: '{}' },
            { name: 'file', fileName: 'a', content: expected },
          ]),
          sizes,
        );
        assert.deepEqual(
          parts.map((part) => [part.content.toString('hex'), part.fileName]),
          [
            [Buffer.from('{}').toString('hex'), undefined],
            [expected.toString('hex'), 'a'],
          ],
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('a changed body is read or refused, and never waited for', async () => {
  const whole = makeMultipart([
    { name: 'metadata', content: '{}', headers: ['Content-Type: application/json'] },
    { name: 'file', fileName: 'a.txt', content: 'text', headers: ['X: y'] },
  ]);
  const pieces = fc.constantFrom(
    '\r\n',
    '--',
    `--${BOUNDARY}`,
    `\r\n--${BOUNDARY}--`,
    '"',
    ';',
    ':',
    'x',
    '\0',
    ' ',
  );
  const changes = fc.array(fc.tuple(fc.nat(whole.length), fc.nat(30), pieces), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(whole.length), async (made, length) => {
      let body = Buffer.from(whole.subarray(0, whole.length - (length % 40)));
      for (const [at, removed, piece] of made) {
        body = Buffer.concat([
          body.subarray(0, at),
          Buffer.from(piece),
          body.subarray(at + removed),
        ]);
      }
      const start = process.cpuUsage();
      try {
        assert.equal((await read(body, [7, 64, 3])).length, 2);
      } catch (error) {
        assert(error instanceof ValidationFailedError || error instanceof HttpError, String(error));
      }
      assert(process.cpuUsage(start).user / 1000 < 4000, 'it takes long');
    }),
    { numRuns: 500 },
  );
});

test('a part and a body that are too long are refused as soon as they are', async () => {
  const long = makeMultipart([{ name: 'metadata', content: 'x'.repeat(500_000) }]);
  await assert.rejects(read(long, [1000]), { message: 'metadata' });
  const file = makeMultipart([
    { name: 'metadata', content: '{}' },
    { name: 'file', fileName: 'a', content: Buffer.alloc(1_000_001) },
  ]);
  await assert.rejects(read(file, [65_536]), { message: 'file' });
  await assert.rejects(read(Buffer.alloc(3_000_000), [65_536]), /at most 2000000 bytes/);
});

test('the heads of parts have limits', async () => {
  const headers = Array.from({ length: 100_000 }, (_, index) => `X-${index}: y`);
  const body = makeMultipart([{ name: 'metadata', content: '{}', headers }]);
  await assert.rejects(read(body, [65_536]), ValidationFailedError);
  const late = Buffer.from(
    `--${BOUNDARY}\r\nX: ${'y'.repeat(9000)}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{}\r\n--${BOUNDARY}--\r\n`,
  );
  await assert.rejects(read(late), ValidationFailedError);
});

test('the bodies that take longest are read in less than a second', async () => {
  const bytes = 900_000;
  const head = makeMultipart([
    { name: 'metadata', content: '{}' },
    { name: 'file', fileName: 'a', content: '' },
  ]).subarray(0, -`\r\n--${BOUNDARY}--\r\n`.length);
  for (const unit of [
    '\r\n',
    '-',
    `\r\n--${BOUNDARY.slice(0, -1)}`,
    `\r\n--${BOUNDARY}\r\n\r\n`,
    BOUNDARY,
    'y',
    `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`,
  ]) {
    for (const before of [head, Buffer.alloc(0)]) {
      const body = Buffer.concat([before, Buffer.from(unit.repeat(bytes / unit.length))]);
      const start = process.cpuUsage();
      await read(body, [65_536]).catch(() => undefined);
      const took = process.cpuUsage(start).user / 1000;
      assert(took < 1000, `${took} ms of the processor for ${JSON.stringify(unit)}`);
    }
  }
});
