// A response that is read late, slowly or not at all keeps its order and takes little memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { collectGarbage } from '../testing/collect-garbage.js';
import { wideLimits } from '../testing/wide-limits.js';
import { ResultsNotReadError, SpooledResponse } from './spooled-response.js';
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
          await response.add([text]);
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
  await response.add([part]);
  await collectGarbage(0);
  const before = process.memoryUsage();
  for (let number = 0; number < 1000; number++) await response.add([part]);
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
  for (let number = 0; number < 10; number++) await response.add(['x'.repeat(100_000)]);
  response.destroy();
  await response.add(['more']);
  await response.finish();
  assert.equal(response.destroyed, true);
});

const MIB = 2 ** 20;

/** So many MiB in lines of 1 KiB. */
const linesOf = (letter: string, mebibytes: number): string[] =>
  Array.from({ length: mebibytes * 1024 }, () => `${letter.repeat(1023)}\n`);

test('an organisation that reads nothing does not keep the space of another', async () => {
  const unread = new UnreadResults({ total: 4 * MIB, upload: 2 * MIB, readTimeoutMs: 500 });
  const hoarding = [1, 2, 3].map(() => new SpooledResponse(unread, 1));
  for (const response of hoarding) await response.add(linesOf('x', 1.5)).catch(() => undefined);
  assert(unread.bytes > 3.5 * MIB, `${unread.bytes} bytes`);

  // It sends everything before it reads.
  const honest = new SpooledResponse(unread, 2);
  await honest.add(linesOf('y', 1.5));
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
  const unread = new UnreadResults({ total: MIB, upload: MIB, readTimeoutMs: 1500 });
  const first = new SpooledResponse(unread, 1);
  await first.add(linesOf('x', 1));
  const second = new SpooledResponse(unread, 1);
  const adding = second.add(linesOf('y', 1));
  await new Promise((resolve) => setTimeout(resolve, 200));
  first.destroy();
  await adding;
  second.destroy();
  for (let number = 0; number < 100 && unread.bytes > 0; number++) await turn();
  assert.equal(unread.bytes, 0);
});

test('an upload that is not read ends at a line, and its results and the last one can be read for a while', async () => {
  const unread = new UnreadResults({ total: MIB, upload: MIB, readTimeoutMs: 300 });
  const response = new SpooledResponse(unread, 1);
  await response.add(linesOf('x', 0.5));
  let addedLines = -1;
  await assert.rejects(response.add(linesOf('y', 2)), (error) => {
    assert(error instanceof ResultsNotReadError);
    ({ addedLines } = error);
    return true;
  });
  assert(addedLines > 512 && addedLines < 2048, `${addedLines} lines`);
  await response.finishUnread('the last line\n');
  let read = '';
  for await (const part of response) read += part;
  const expected = [...linesOf('x', 0.5), ...linesOf('y', 2).slice(0, addedLines)];
  assert.equal(read, `${expected.join('')}the last line\n`);
  assert.equal(unread.bytes, 0);
});

test('what nobody reads after such an end is removed', async () => {
  const unread = new UnreadResults({ total: MIB, upload: MIB, readTimeoutMs: 200 });
  const response = new SpooledResponse(unread, 1);
  await assert.rejects(response.add(linesOf('x', 2)), ResultsNotReadError);
  const closed = once(response, 'close');
  const began = performance.now();
  await response.finishUnread('the last line\n');
  await closed;
  assert(performance.now() - began < 30_000);
  assert(response.destroyed && !response.readableEnded);
  assert.equal(unread.bytes, 0);
});

test('what is read too slowly after such an end is removed, although some of it is read', async (t) => {
  const unread = new UnreadResults({ total: MIB, upload: MIB, readTimeoutMs: 300 });
  const response = new SpooledResponse(unread, 1);
  await assert.rejects(response.add(linesOf('x', 2)), ResultsNotReadError);
  // A second counts as half a minute. At 16 kB a second, everything takes 80 of them.
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() * 30);
  const closed = once(response, 'close');
  await response.finishUnread('the last line\n');
  const reading = setInterval(() => response.read(64 * 1024), 250);
  await closed;
  clearInterval(reading);
  assert(response.destroyed && !response.readableEnded);
  assert.equal(unread.bytes, 0);
});
