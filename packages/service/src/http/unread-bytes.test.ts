// The memory of unread responses is bounded for each reader and in all, and nobody takes that of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { UnreadBytes, type UnreadResponse } from './unread-bytes.js';

const ignore = () => undefined;

test('a body counts once for each reader, however many of its responses send it', () => {
  const unread = new UnreadBytes({ total: 1000, organisation: 500 });
  const body = Buffer.alloc(400);
  const responses = [1, 1, 2].map((reader) => unread.open(reader, ignore));
  assert(responses.every((response) => response.hold(body)));
  assert.equal(unread.bytes, 400);
  assert.equal(unread.open(1, ignore).hold(Buffer.alloc(101)), false);
  for (const response of responses) response.close();
  assert.equal(unread.bytes, 0);
});

test('a body that is larger than the limit is held alone', () => {
  const unread = new UnreadBytes({ total: 1000, organisation: 500 });
  const [large, small] = [unread.open(1, ignore), unread.open(1, ignore)];
  assert.equal(large.hold(Buffer.alloc(2000)), true);
  assert.equal(small.hold(Buffer.alloc(1)), false);
  large.release();
  assert.equal(small.hold(Buffer.alloc(1)), true);
  assert.equal(large.hold(Buffer.alloc(2000)), false);
});

test('if all together are at the limit, the oldest response of whoever holds most is ended', () => {
  const unread = new UnreadBytes({ total: 1000, organisation: 600 });
  const ended: string[] = [];
  const hold = (name: string, reader: number, bytes: number) =>
    unread.open(reader, () => ended.push(name)).hold(Buffer.alloc(bytes));
  assert(hold('first', 1, 300) && hold('second', 1, 300) && hold('other', 2, 400));
  assert(hold('third', 3, 200));
  assert.deepEqual(ended, ['first']);
  assert.equal(hold('fourth', 2, 200), false, 'it would hold more than anybody else');
  assert.equal(unread.bytes, 900);
  assert.equal(unread.ended, 1);
});

test('a stream waits for room, and one after the other produces its part', async () => {
  const unread = new UnreadBytes({ total: 2 ** 20, organisation: 400 * 1024 });
  const stalled = unread.open(1, ignore);
  assert(stalled.hold(Buffer.alloc(300 * 1024)));
  let produced = 0;
  const streams = Array.from({ length: 10 }, () => unread.open(1, ignore));
  const taking = streams.map((stream) =>
    stream.take(async () => {
      produced++;
      return { bytes: Buffer.alloc(300 * 1024) };
    }, 60_000),
  );
  await turn();
  assert.equal(produced, 0);
  stalled.close();
  await Promise.race(taking);
  assert.equal(produced, 1);
  for (const stream of streams) stream.close();
  const parts = await Promise.all(taking);
  assert.equal(parts.filter((part) => part !== undefined).length, 1);
  assert.equal(unread.bytes, 0);
});

test('a stream that gets no room in time learns that', async () => {
  const unread = new UnreadBytes({ total: 2 ** 20, organisation: 400 * 1024 });
  assert(unread.open(1, ignore).hold(Buffer.alloc(300 * 1024)));
  const part = unread.open(1, ignore).take(() => assert.fail('there is no room'), 10);
  assert.equal(await part, undefined);
});

test('whatever responses do, the limits hold, and nothing is held at the end', async () => {
  const bodies = [10, 40, 70, 100, 160].map((bytes) => Buffer.alloc(bytes));
  const step = fc.record({
    response: fc.nat(11),
    act: fc.constantFrom('hold', 'release', 'close', 'take'),
    body: fc.nat(bodies.length - 1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const unread = new UnreadBytes({ total: 300, organisation: 200 });
      const open: UnreadResponse[] = Array.from({ length: 12 }, (_, index) =>
        unread.open(index % 3, ignore),
      );
      const taking: Promise<unknown>[] = [];
      for (const { response: index, act, body: bodyIndex } of steps) {
        const response = open[index];
        const body = bodies[bodyIndex];
        assert(response && body);
        if (act === 'hold') response.hold(body);
        else if (act === 'take') taking.push(response.take(async () => ({ bytes: body }), 0));
        else response[act]();
        assert(unread.bytes <= 300, `${unread.bytes} bytes`);
        await turn();
      }
      for (const response of open) response.close();
      await Promise.all(taking);
      assert.equal(unread.bytes, 0);
    }),
    { numRuns: 100 },
  );
});
