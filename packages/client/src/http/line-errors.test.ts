// Lines that cannot be sent: the error names the line, for every method that sends lines, in every form of a source.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestPlayground } from '../testing/playground.js';

const playground = await startTestPlayground();
const authority = await playground.client('authority');

/** The methods that send lines, as a program without types may call them. */
const methods = {
  postRoutingDecisions: (lines: never) => authority.postRoutingDecisions(lines),
  postEntrySummaryDeclarations: (lines: never) => authority.postEntrySummaryDeclarations(lines),
  publishGoodsItems: (lines: never) => authority.publishGoodsItems(lines),
  presentMany: async (lines: never) => {
    for await (const _ of authority.presentMany(lines));
  },
};

const circle: Record<string, unknown> = {};
circle.itself = circle;

async function* each(...lines: unknown[]) {
  yield* lines;
}

/** Sends the lines, and reads the results if they come as a stream. */
async function send(method: (lines: never) => Promise<unknown>, lines: unknown): Promise<void> {
  // The cast is what this test is about.
  const sent = await method(lines as never);
  const isStream = typeof sent === 'object' && sent !== null && Symbol.asyncIterator in sent;
  if (!isStream) return;
  // The cast is true because it was checked.
  for await (const _ of sent as AsyncIterable<unknown>);
}

for (const [name, method] of Object.entries(methods)) {
  test(`${name}: what is not iterable is refused with what it must be`, async () => {
    for (const lines of [undefined, null, 5, true]) {
      await assert.rejects(send(method, lines), (error) => {
        assert(error instanceof TypeError);
        assert.match(
          error.message,
          /must be an array.* iterated, not (undefined|null|number|boolean)$/,
        );
        return true;
      });
    }
  });
  if (name === 'presentMany') continue;
  test(`${name}: a line that is no JSON is named`, async () => {
    for (const [line, reason] of [
      [circle, /circular/],
      [{ amount: 1n }, /BigInt/],
      [undefined, /it is undefined/],
    ] as const) {
      const lines = [{}, {}, line];
      // Of an iterator, a line that is not there ends nothing: it is a line.
      for (const source of [lines, each(...lines)]) {
        await assert.rejects(send(method, source), (error) => {
          assert(error instanceof TypeError, String(error));
          assert.match(error.message, /^line 3 cannot be written as JSON: /);
          assert.match(error.message, reason);
          return true;
        });
      }
    }
  });
}
