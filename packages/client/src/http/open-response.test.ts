// Which time counts against a body: that in which a line or the whole is on its way, and no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeoutError } from '../errors/connection-error.js';
import { OpenResponse } from './open-response.js';
import { RequestTimer } from './request-timer.js';

const TIMEOUT_MS = 10_000;

/** A response whose pieces come when the test says so, with a clock that it sets. */
function openWith(t: import('node:test').TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  const timer = new RequestTimer('http://peer', TIMEOUT_MS, undefined);
  const pass = (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  return {
    timer,
    pass,
    open: () => new OpenResponse(new Response(body), timer),
    push: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  };
}

/** Lets everything that is pending go on. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a line in two pieces, after a source that was silent for long, is read', async (t) => {
  const { timer, pass, open, push, end } = openWith(t);
  const lines = open().lines();
  // The source of an upload is waited for.
  timer.hold();
  const first = lines.next();
  pass(2 * TIMEOUT_MS);
  push('{"line":');
  await settle();
  push('1}\n');
  assert.equal((await first).value, '{"line":1}');
  // The reader takes its time too.
  pass(2 * TIMEOUT_MS);
  push('{"line":2}\n{"li');
  assert.equal((await lines.next()).value, '{"line":2}');
  pass(2 * TIMEOUT_MS);
  const last = lines.next();
  push('ne":');
  await settle();
  push('3}\n');
  assert.equal((await last).value, '{"line":3}');
  end();
  assert.equal((await lines.next()).done, true);
});

test('a line that drips ends in time', async (t) => {
  const { pass, open, push } = openWith(t);
  const lines = open().lines();
  const first = assert.rejects(lines.next(), TimeoutError);
  for (let drop = 0; drop < 12; drop++) {
    push('x');
    await settle();
    pass(TIMEOUT_MS / 10);
  }
  await first;
});

test('the time limit is one for head and body, and lines that are sent meanwhile extend it', async (t) => {
  for (const isUpload of [false, true]) {
    await t.test(`upload: ${isUpload}`, async (inner) => {
      const { timer, pass, open, push, end } = openWith(inner);
      // The head takes most of the time.
      pass(0.7 * TIMEOUT_MS);
      const text = open().text();
      const outcome = isUpload ? text : assert.rejects(text, TimeoutError);
      await settle();
      for (let piece = 0; piece < 5 && !timer.signal.aborted; piece++) {
        push('x');
        await settle();
        pass(0.2 * TIMEOUT_MS);
        if (!isUpload) continue;
        timer.hold();
        pass(TIMEOUT_MS);
        timer.release(true);
      }
      if (isUpload) end();
      await settle();
      assert.equal(await outcome, isUpload ? 'xxxxx' : undefined);
    });
  }
});

test('a time limit that is no time is refused', () => {
  for (const ms of [Number.NaN, 0, -1]) {
    assert.throws(() => new RequestTimer('http://peer', ms, undefined), /timeoutMs must be/);
  }
});
