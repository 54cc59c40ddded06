// Everything that sends requests against every fault of a hostile peer, and an abort at every stage: the outcome is right or
// honestly unknown, in time, and nothing is left. Rows are found from the operations, lists, feeds and methods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './errors/api-error.js';
import { LandfallError } from './errors/landfall-error.js';
import { PresentationUnknownError } from './errors/presentation-unknown-error.js';
import { feeds } from './following/feed.js';
import * as client from './index.js';
import { Landfall } from './landfall.js';
import * as operations from './operations/operations.js';
import { Presentations } from './presentation/presentations.js';
import { type Callable, callables, type Given, helpers } from './testing/callables.js';
import { makeFaults, type Respond, respondInOrder, startPeer } from './testing/hostile-peer.js';

/** How long a response may take, and an outcome be determined, in milliseconds. */
const TIMEOUT_MS = 300;
const WITHIN_MS = 400;

/** A row that has not ended after so long does not end: more than all its limits together, on a busy machine. */
const HANGS_MS = 90_000;

/** When what follows a feed is ended, in milliseconds. */
const FOLLOW_MS = 600;

const hostile = await startPeer();
const other = await startPeer();
const faults = makeFaults(other.url);
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

/** Timers that keep the process running. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits for a condition, which holds soon if it holds at all. */
async function eventually(condition: () => boolean, message: () => string): Promise<void> {
  for (let count = 0; count < 200 && !condition(); count++) await later(50);
  assert(condition(), message());
}

function given(
  signal: AbortSignal | undefined,
  hooks: client.Hooks = {},
  timeoutMs = TIMEOUT_MS,
  withinMs = WITHIN_MS,
): Given {
  const options = {
    baseUrl: hostile.url,
    tokens: { getToken: async () => 'secret', discard: () => undefined },
    timeoutMs,
    // On a busy machine an attempt takes longer than a fault may: what is not to end in time is repeated all the same.
    retry: { maxAttempts: 2, maxElapsedMs: timeoutMs + 200, baseDelayMs: 5, maxDelayMs: 10 },
    hooks,
  };
  return { landfall: new Landfall(options), options, signal, withinMs };
}

type End = { name: string; kind: Callable['kind']; value?: unknown; error?: unknown };

/** Runs a row to its end, whatever that is. */
async function endOf({ name, kind, run }: Callable, input: Given): Promise<End> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} does not end`)), HANGS_MS);
  });
  try {
    return { name, kind, value: await Promise.race([run(input), hangs]) };
  } catch (error) {
    return { name, kind, error };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all rows at once, and checks that nothing is left of them. */
async function endsOf(respond: Respond, makeGiven: (row: Callable) => Given): Promise<End[]> {
  hostile.respond = respond;
  const before = timers();
  const ends = await Promise.all(callables.map((row) => endOf(row, makeGiven(row))));
  await eventually(
    () => hostile.open() === 0,
    () => `${hostile.open()} exchanges are left open`,
  );
  await eventually(
    () => timers() <= before,
    () => `${timers() - before} timers are left`,
  );
  assert.deepEqual(unhandled, []);
  assert.deepEqual(other.received, [], 'another host was sent something');
  return ends;
}

/** Ends what follows a feed. */
const endFollowing = ({ kind }: Callable) =>
  kind === 'follow' ? AbortSignal.timeout(FOLLOW_MS) : undefined;

test('everything that the library exports, or that its client does, is a row', () => {
  const notSending = ['asTexts', 'digestOf', 'fixedToken', 'platformFetch'];
  // Its rows are "every page of ...".
  const known = new Set([...notSending, 'readList', 'routingSignals', 'constructor']);
  const methods = [Landfall, Presentations].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  );
  const exported = Object.keys(client).filter((name) => /^[a-z]/.test(name));
  const missing = [...new Set([...methods, ...exported])].filter(
    (name) => !(known.has(name) || name in operations || name in feeds || name in helpers),
  );
  assert.deepEqual(missing, []);
});

test('without a fault, everything succeeds, also while the clock jumps', async (t) => {
  for (const jumpMs of [0, 86_400_000, -86_400_000]) {
    const clock = Date.now;
    t.after(() => {
      Date.now = clock;
    });
    const jumping: Respond = (...exchange) => {
      Date.now = () => clock() + jumpMs;
      respondInOrder(...exchange);
    };
    // Only what waits for a routing waits for all of its time.
    const withinOf = ({ kind }: Callable) => (kind === 'present' ? 60_000 : 3_000);
    const ends = await endsOf(jumping, (row) =>
      given(endFollowing(row), {}, 30_000, withinOf(row)),
    );
    Date.now = clock;
    for (const { name, error } of ends) {
      // There is no routing to wait for.
      if (name === 'waitForRouting') assert(error instanceof client.RoutingPendingError);
      else if (name === 'getValidationStatus') assert(error instanceof ApiError);
      else assert.equal(error, undefined, `${name}: ${error}`);
    }
  }
});

for (const [fault, respond] of Object.entries(faults)) {
  test(`${fault}: nothing succeeds, and every error is honest`, { timeout: 300_000 }, async () => {
    const ends = await endsOf(respond, (row) => given(endFollowing(row)));
    for (const { name, kind, value, error } of ends) {
      if (error === undefined) {
        assert.equal(kind, 'follow', `${name} succeeded with ${JSON.stringify(value)}`);
        assert.deepEqual(value ?? [], [], `${name} handed out something`);
        continue;
      }
      assert(error instanceof LandfallError, `${name}: ${error}`);
      if (kind !== 'present') continue;
      // The peer has received it: only a refusal says that nothing was presented.
      const isRefused = error instanceof ApiError && error.status < 500;
      assert(error.outcomeUnknown || isRefused, `${name}: ${error}`);
    }
  });
}

/** When a call is aborted; the last ones are those at which something was sent. */
const stages: Record<
  string,
  (abort: () => void) => { respond?: Respond; hooks?: client.Hooks; isSent: boolean }
> = {
  'before it begins': (abort) => {
    abort();
    return { isSent: false };
  },
  'when it is sent': (abort) => ({ hooks: { onRequest: abort }, isSent: true }),
  'when the peer has it': (abort) => ({ respond: abort, isSent: true }),
  'when the head has arrived': (abort) => ({
    hooks: { onResponse: abort },
    respond: (_, response) => void response.writeHead(200).write('[{"x":'),
    isSent: true,
  }),
  'while the body arrives': (abort) => ({
    respond: (_, response) => {
      response.writeHead(200).write('[{"x":');
      setTimeout(abort, 50);
    },
    isSent: true,
  }),
  'in the pause before it is repeated': (abort) => ({
    hooks: { onRetry: abort },
    respond: (_, response) => void response.writeHead(503).end(),
    isSent: true,
  }),
};

for (const [stage, makeStage] of Object.entries(stages)) {
  test(`aborted ${stage}: it ends with the reason, or honestly unknown`, {
    timeout: 300_000,
  }, async () => {
    const reason = new RangeError('of the caller');
    const controllers: AbortController[] = [];
    let isSent = false;
    const responds: Respond[] = [];
    const makeGiven = () => {
      const controller = new AbortController();
      controllers.push(controller);
      const made = makeStage(() => controller.abort(reason));
      isSent = made.isSent;
      if (made.respond !== undefined) responds.push(made.respond);
      return given(controller.signal, made.hooks, 120_000, 120_000);
    };
    // A response does not know whose request it is for: each aborts all that are there by then.
    const respond: Respond = (...exchange) => {
      if (responds.length === 0) respondInOrder(...exchange);
      else for (const one of responds.slice(0, 1)) one(...exchange);
      if (stage === 'when the peer has it' || stage === 'while the body arrives') {
        setTimeout(() => {
          for (const controller of controllers) controller.abort(reason);
        }, 100);
      }
    };
    const ends = await endsOf(respond, makeGiven);
    for (const { name, kind, value, error } of ends) {
      if (kind === 'follow' && error === undefined) {
        assert.deepEqual(value ?? [], [], name);
        continue;
      }
      // A run of many ends with the reason: what has no outcome is not known.
      if (kind === 'present' && isSent && name !== 'presentMany') {
        assert(error instanceof PresentationUnknownError, `${name}: ${error}`);
      } else if (stage.startsWith('in the pause') && kind === 'call') {
        // What may not be repeated has no pause.
        assert(error === reason || error instanceof LandfallError, `${name}: ${error}`);
      } else assert.equal(error, reason, `${name}: ${error}`);
    }
  });
}
