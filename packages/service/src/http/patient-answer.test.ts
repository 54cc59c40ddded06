// An answer that is read late, slowly or not at all: everything comes in order, and little of it waits in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { PatientAnswer } from './patient-answer.js';

test('what is added is read in its order, however adding and reading take turns', async () => {
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
        const answer = new PatientAnswer();
        let added = '';
        let read = '';
        const readSome = () => {
          const part: Buffer | null = answer.read();
          if (part !== null) read += part.toString();
        };
        for (const [place, { size, reads }] of steps.entries()) {
          const text = String.fromCharCode(97 + place).repeat(size);
          await answer.add(text);
          added += text;
          for (let number = 0; number < reads; number++) {
            readSome();
            await turn();
          }
        }
        await answer.finish();
        for await (const part of answer) read += part;
        assert.equal(read.length, added.length);
        assert.equal(read, added);
      },
    ),
    { numRuns: 60 },
  );
});

test('what nobody reads costs no memory', async () => {
  const answer = new PatientAnswer();
  const part = `${'x'.repeat(99)}\n`.repeat(1000);
  await answer.add(part);
  globalThis.gc?.();
  const before = process.memoryUsage();
  for (let number = 0; number < 1000; number++) await answer.add(part);
  const grown = (memory: NodeJS.MemoryUsage) => memory.external + memory.arrayBuffers;
  // A hundred megabytes wait; a few parts that are not collected yet may be in memory.
  assert(grown(process.memoryUsage()) - grown(before) < 60_000_000);
  await answer.finish();
  let bytes = 0;
  for await (const read of answer) bytes += read.length;
  assert.equal(bytes, 1001 * part.length);
});

test('one that is given up takes what is added, and keeps nothing', async () => {
  const answer = new PatientAnswer();
  for (let number = 0; number < 10; number++) await answer.add('x'.repeat(100_000));
  answer.destroy();
  await answer.add('more');
  await answer.finish();
  assert.equal(answer.destroyed, true);
});
