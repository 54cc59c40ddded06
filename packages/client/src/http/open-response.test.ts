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
