// Following through a connection that breaks, is slow or freezes, and through a proxy that lets no events pass.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionError } from '../errors/connection-error.js';
import { TokenError } from '../errors/token-error.js';
import { issueSignals, readSignalIds } from '../testing/issue-signals.js';
import { startTestPlayground } from '../testing/playground.js';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.js';
import type { FollowMode } from './follow-mode.js';
import type { FollowOptions, FollowState } from './follow-options.js';

const playground = await startTestPlayground({ tokenLifetime: 4 });

/** Follows an identity through a proxy in the background. */
async function follow(
  context: TestContext,
  as: string,
  proxy: TcpProxy,
  options: FollowOptions = {},
) {
  const client = await playground.client(as, { baseUrl: proxy.url });
  const stop = new AbortController();
  context.after(() => stop.abort());
  const seen: string[] = [];
  const states: FollowState[] = [];
  const following = client.followRouting({
    signal: stop.signal,
    onStateChange: (state) => states.push(state),
    ...options,
  });
  const end = (async () => {
    for await (const { routingResult } of following) seen.push(routingResult.id);
  })();
  return {
    seen,
    states,
    modes: () => states.map((state) => (state.state === 'live' ? state.mode : state.state)),
    /** Waits until everything has arrived and nothing else, and ends the loop. */
    finish: async () => {
      const expected = await readSignalIds(playground, as);
      await until(() => seen.length >= expected.length);
      await delay(100);
      stop.abort();
      await end;
      assert.deepEqual(seen, expected);
    },
  };
}

async function until(isTrue: () => boolean, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isTrue()) {
    assert(performance.now() < deadline, `not within ${timeoutMs} ms: ${isTrue}`);
    await delay(20);
  }
}

const EVENTS = 'text/event-stream';

/** What obstructs the connection, and the mode that still works. */
const obstacles: [title: string, mode: FollowMode, obstruct: (proxy: TcpProxy) => void][] = [
  [
    'a proxy that holds events back',
    'wait',
    (proxy) => {
      proxy.freezeWhen = /text\/event-stream/;
    },
  ],
  [
    'a server without events',
    'wait',
    (proxy) => {
      proxy.rewrite = (text) => text.replace(EVENTS, 'application/json'.padEnd(EVENTS.length));
    },
  ],
  [
    'a server that refuses events',
    'wait',
    (proxy) => {
      proxy.rewrite = (text) => text.replace(EVENTS, 'image/png'.padEnd(EVENTS.length));
    },
  ],
  [
    'a proxy that drops the wish to wait',
    'poll',
    (proxy) => {
      proxy.rewrite = (text) =>
        text.replace(EVENTS, 'image/png'.padEnd(EVENTS.length)).replace('prefer:', 'x-drop:');
    },
  ],
];

/**
 * The forwarder mostly waits, so its tests run beside the others. More at a time would need longer bounds for silence.
 */
describe('following', { concurrency: true }, () => {
  describe('as the carrier and as the foreign business', { concurrency: 1 }, () => {
    test('a connection that breaks again and again loses and repeats nothing', async (context) => {
      const proxy = await startTcpProxy(playground.baseUrl);
      const follower = await follow(context, 'carrier', proxy, { upgradeAfterMs: 1000 });
      for (let round = 0; round < 12; round++) {
        await issueSignals(playground, 'carrier', 60);
        proxy.cutAfterBytes = round % 2 === 0 ? 9_000 + 777 * round : Number.POSITIVE_INFINITY;
        proxy.cut();
        await delay(150);
      }
      proxy.cutAfterBytes = Number.POSITIVE_INFINITY;
      await follower.finish();
      assert(follower.modes().includes('lost'));
    });

    test('the first request that fails ends the loop with its error', async () => {
      const proxy = await startTcpProxy(playground.baseUrl);
      proxy.refuses = true;
      const client = await playground.client('carrier', {
        baseUrl: proxy.url,
        retry: { maxAttempts: 2 },
      });
      const loop = async () => {
        for await (const signal of client.followRouting()) return signal;
      };
      await assert.rejects(loop(), TokenError);
      assert.equal(proxy.opened, 2);
    });

    test('a frozen connection is noticed within its bound, in each mode', async (context) => {
      for (const mode of ['events', 'wait', 'poll'] as const) {
        const proxy = await startTcpProxy(playground.baseUrl);
        const follower = await follow(context, 'express', proxy, {
          modes: [mode],
          silenceMs: 1500,
          waitSeconds: 1,
          pollIntervalMs: 100,
        });
        await until(() => follower.modes().includes(mode));
        // Later than the response to the first request, so that the stream is open.
        await delay(200);
        proxy.freeze();
        const frozen = performance.now();
        await issueSignals(playground, 'express', 5);
        await follower.finish();
        // Without the given bound, it would be noticed after 25 s.
        assert(performance.now() - frozen < 15_000, mode);
      }
    });

    for (const [title, mode, obstruct] of obstacles) {
      test(`${title}: entries arrive by ${mode}, and events are tried again later`, async (context) => {
        const proxy = await startTcpProxy(playground.baseUrl);
        obstruct(proxy);
        const options = {
          silenceMs: 1500,
          waitSeconds: 1,
          pollIntervalMs: 200,
          upgradeAfterMs: 2500,
        };
        const follower = await follow(context, 'express', proxy, options);
        await until(() => follower.modes().includes(mode));
        // Only what holds events back looks like a lost connection, and only once.
        const lost = follower.modes().filter((state) => state === 'lost');
        assert.equal(lost.length, proxy.freezeWhen === undefined ? 0 : 1);
        await issueSignals(playground, 'express', 3);
        const expected = await readSignalIds(playground, 'express');
        await until(() => follower.seen.length === expected.length);
        proxy.rewrite = (text) => text;
        proxy.freezeWhen = undefined;
        await until(() => follower.modes().at(-1) === 'events');
        await issueSignals(playground, 'express', 3);
        await follower.finish();
      });
    }
  });

  describe('as the forwarder', { concurrency: 1 }, () => {
    test('a slow connection hands out everything once', async (context) => {
      const proxy = await startTcpProxy(playground.baseUrl);
      proxy.delayMs = 250;
      const follower = await follow(context, 'forwarder', proxy);
      for (let round = 0; round < 3; round++) {
        await issueSignals(playground, 'forwarder', 30);
        await delay(100);
      }
      await follower.finish();
    });

    test('a service that is away for a while is found again', async (context) => {
      const proxy = await startTcpProxy(playground.baseUrl);
      const follower = await follow(context, 'forwarder', proxy);
      await until(() => follower.modes().includes('events'));
      proxy.refuses = true;
      proxy.cut();
      await delay(1500);
      await issueSignals(playground, 'forwarder', 5);
      proxy.refuses = false;
      await follower.finish();
      const [lost] = follower.states.filter(({ state }) => state === 'lost');
      assert(lost?.state === 'lost' && lost.error instanceof ConnectionError);
      assert.deepEqual(follower.modes(), ['events', 'lost', 'events']);
    });

    test('the end of a token is no loss', async (context) => {
      const proxy = await startTcpProxy(playground.baseUrl);
      const follower = await follow(context, 'forwarder', proxy);
      await until(() => follower.modes().includes('events'));
      for (let second = 0; second < 11; second++) {
        await issueSignals(playground, 'forwarder', 3);
        await delay(1000);
      }
      await follower.finish();
      assert.deepEqual(follower.modes(), ['events']);
    });
  });
});
