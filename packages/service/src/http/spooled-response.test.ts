// A response that is read late, slowly or not at all keeps its order and takes little memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { collectGarbage } from '../testing/collect-garbage.js';
import { wideLimits } from '../testing/wide-limits.js';
import { SpooledResponse } from './spooled-response.js';
import { UnreadResults } from './unread-results.js';

test('text is read in the order in which it was added, however adding and reading interleave', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          size: fc.integer({ min: 0, max: 200_000 }),
          reads: fc.integer({ min: 0, max: 5 }),
        }),
        { maxLength: 12 },
      ),
      async (steps) => {
        const response = new SpooledResponse(wideLimits().unreadResults, 1);
        let added = '';
        let read = '';
        const readSome = () => {
          const part: Buffer | null = response.read();
          if (part !== null) read += part.toString();
        };
        for (const [index, { size, reads }] of steps.entries()) {
          const text = String.fromCharCode(97 + index).repeat(size);
          await response.add(text);
          added += text;
          for (let number = 0; number < reads; number++) {
            readSome();
            await turn();
          }
        }
        await response.finish();
        for await (const part of response) read += part;
        assert.equal(read.length, added.length);
        assert.equal(read, added);
      },
    ),
    { numRuns: 60 },
  );
});

test('unread text is not held in memory', async () => {
  const response = new SpooledResponse(wideLimits().unreadResults, 1);
  const part = `${'x'.repeat(99)}\n`.repeat(1000);
  await response.add(part);
  await collectGarbage(0);
  const before = process.memoryUsage();
  for (let number = 0; number < 1000; number++) await response.add(part);
  const grown = (memory: NodeJS.MemoryUsage) => memory.external + memory.arrayBuffers;
  await collectGarbage(0);
  // A hundred megabytes are unread.
  assert(grown(process.memoryUsage()) - grown(before) < 10_000_000);
  await response.finish();
  let bytes = 0;
  for await (const read of response) bytes += read.length;
  assert.equal(bytes, 1001 * part.length);
});

test('a destroyed response discards added text', async () => {
  const response = new SpooledResponse(wideLimits().unreadResults, 1);
  for (let number = 0; number < 10; number++) await response.add('x'.repeat(100_000));
  response.destroy();
  await response.add('more');
  await response.finish();
  assert.equal(response.destroyed, true);
});

const MIB = 2 ** 20;

test('an organisation that reads nothing does not keep the space of another', async () => {
  const unread = new UnreadResults({ total: 4 * MIB, upload: 2 * MIB });
  const hoarding = [1, 2, 3].map(() => new SpooledResponse(unread, 1, 500));
  for (const response of hoarding) await response.add('x'.repeat(MIB * 1.5)).catch(() => undefined);
  assert(unread.bytes > 3.5 * MIB, `${unread.bytes} bytes`);

  // It sends everything before it reads.
  const honest = new SpooledResponse(unread, 2, 500);
  await honest.add('y'.repeat(MIB * 1.5));
  assert(unread.bytes <= 4 * MIB, `${unread.bytes} bytes`);
  await honest.finish();
  let bytes = 0;
  for await (const part of honest) bytes += part.length;
  assert.equal(bytes, MIB * 1.5);
  assert.deepEqual(
    hoarding.map(({ destroyed }) => destroyed),
    [true, false, false],
  );

  for (const response of hoarding) response.destroy();
  for (let number = 0; number < 100 && unread.bytes > 0; number++) await turn();
  assert.equal(unread.bytes, 0);
});

test('an upload that waits for space goes on when another upload has left it', async () => {
  const unread = new UnreadResults({ total: MIB, upload: MIB });
  const first = new SpooledResponse(unread, 1);
  await first.add('x'.repeat(MIB));
  const second = new SpooledResponse(unread, 1, 1500);
  const adding = second.add('y'.repeat(MIB));
  await new Promise((resolve) => setTimeout(resolve, 200));
  first.destroy();
  await adding;
  second.destroy();
  for (let number = 0; number < 100 && unread.bytes > 0; number++) await turn();
  assert.equal(unread.bytes, 0);
});
