// Everything that sends requests against every fault of a hostile peer, and an abort at every stage: the outcome is right or
// honestly unknown, in time, and nothing is left. Rows are found from the operations, lists, feeds and methods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './errors/api-error.js';
import { LandfallError } from './errors/landfall-error.js';
import { OutcomeUnknownError } from './errors/outcome-unknown-error.js';
import { feeds } from './following/feed.js';
import * as client from './index.js';
import { Landfall } from './landfall.js';
import { Movements } from './movement/movements.js';
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
  more: Partial<client.ConnectionOptions> = {},
): Given {
  const options = {
    baseUrl: hostile.url,
    tokens: { getToken: async () => 'secret', discard: () => undefined },
    timeoutMs,
    // On a busy machine an attempt takes longer than a fault may: what is not to end in time is repeated all the same.
    retry: { maxAttempts: 2, maxElapsedMs: timeoutMs + 200, baseDelayMs: 5, maxDelayMs: 10 },
    hooks,
    ...more,
  };
  return { landfall: new Landfall(options), options, signal, withinMs };
}

type End = Pick<Callable, 'name' | 'kind' | 'asksFirst'> & { value?: unknown; error?: unknown };

/** Runs a row to its end, whatever that is. */
async function endOf({ run, ...row }: Callable, input: Given): Promise<End> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${row.name} does not end`)), HANGS_MS);
  });
  try {
    return { ...row, value: await Promise.race([run(input), hangs]) };
  } catch (error) {
    return { ...row, error };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all rows at once, and checks that nothing is left of them. */
async function endsOf(
  respond: Respond,
  makeGiven: (row: Callable) => Given,
  rows = callables,
): Promise<End[]> {
  hostile.respond = respond;
  const before = timers();
  const ends = await Promise.all(rows.map((row) => endOf(row, makeGiven(row))));
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
  const notSending = [
    'digestOf',
    'digestOfMovement',
    'fixedToken',
    'inMode',
    'isHouseConsignment',
    'isMasterConsignment',
    'isTransport',
    'levelOfMovement',
    'modes',
    'mrnOf',
    'platformFetch',
    'verifyPush',
  ];
  // Its rows are "every page of ...".
  const known = new Set([...notSending, 'readList', 'routingSignals', 'constructor']);
  const methods = [Landfall, Movements, Presentations].flatMap(({ prototype }) =>
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
      // The peer has a status of each movement message, of each arrival that it was sent, and of no presentation.
      else if (name === 'getValidationStatus' || name === 'getArrivalStatus') {
        assert(error instanceof ApiError);
      } else assert.equal(error, undefined, `${name}: ${error}`);
    }
  }
});

/** Rows that send something. */
const sending = callables.filter(({ name }) => name !== 'waitForRouting of nothing');

for (const [fault, respond] of Object.entries(faults)) {
  test(`${fault}: nothing succeeds, and every error is honest`, { timeout: 300_000 }, async () => {
    const ends = await endsOf(respond, (row) => given(endFollowing(row)), sending);
    for (const { name, kind, asksFirst, value, error } of ends) {
      if (error === undefined) {
        assert.equal(kind, 'follow', `${name} succeeded with ${JSON.stringify(value)}`);
        assert.deepEqual(value ?? [], [], `${name} handed out something`);
        continue;
      }
      assert(error instanceof LandfallError, `${name}: ${error}`);
      if (asksFirst) assert(!error.outcomeUnknown, `${name}: ${error}`);
      if (kind !== 'present' || asksFirst) continue;
      // The peer has received it: only a refusal says that nothing was presented.
      const isRefused = error instanceof ApiError && error.status < 500;
      assert(error.outcomeUnknown || isRefused, `${name}: ${error}`);
    }
  });
}

/** JSON that is none of a list, of an entry, or of anything. */
const odd = [
  'null',
  '7',
  '"text"',
  '[]',
  '{}',
  '[null]',
  '[7]',
  '[[]]',
  '[{}]',
  '{"entries":null}',
];

/** What a feed, and a presentation, go on with is there, and nothing else. */
const bare = '{"requestId":"x","routingResult":{"id":"x"},"metadata":{"eventId":"x"},"data":null}';

for (const json of [...odd, bare, `[${bare}]`]) {
  test(`200 with ${json}: every error is one of the library, and what is handed out are objects`, {
    timeout: 300_000,
  }, async () => {
    const respond: Respond = ({ headers: { accept = '' } }, response) => {
      if (accept === 'text/event-stream') {
        response.setHeader('content-type', accept).end(`data: ${json}\n\n`);
      } else response.setHeader('content-type', 'application/json').end(`${json}\n`);
    };
    const ends = await endsOf(respond, (row) => given(endFollowing(row), {}, 30_000, 1_000));
    for (const { name, kind, value, error } of ends) {
      const what = `${name}: ${error instanceof Error ? error.stack : JSON.stringify(value)}`;
      if (error !== undefined) assert(error instanceof LandfallError, what);
      else if (kind === 'follow') assert(json.includes(bare) || !isHandedOut(value), what);
      else assert(kind === 'call' && (isOfText(name) || isOfObjects(value)), what);
    }
  });
}

const isHandedOut = (value: unknown) => Array.isArray(value) && value.length > 0;
const isOfText = (name: string) =>
  /^(?:getLiveness|getReadiness|getMetrics|testAuth|asTexts)$/.test(name);

/** An object, a list of objects, or a page of them; nothing, where there is no result. */
function isOfObjects(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const isPage = 'next' in value && 'entries' in value;
  const items: unknown = isPage ? value.entries : value;
  return !Array.isArray(items) || items.every((item) => typeof item === 'object' && item !== null);
}

/** Whether a row reads pages of entries. */
const readsPages = ({ name, kind }: Callable) =>
  kind === 'follow' || name.startsWith('every page of') || name === 'waitForRouting';

test('a page that is cut once, within an entry, ends nothing', { timeout: 300_000 }, async () => {
  const controllers = new Map<unknown, AbortController>();
  const cut = new Set<unknown>();
  const respond: Respond = (request, response, body) => {
    const row = request.headers['x-test'];
    const isPage = /json$/.test(request.headers.accept ?? '');
    if (row === undefined || !isPage || cut.has(row)) {
      return respondInOrder(request, response, body);
    }
    cut.add(row);
    response.writeHead(200, { 'landfall-count': '1', connection: 'close' }).end('{"li');
    setTimeout(() => controllers.get(row)?.abort(), FOLLOW_MS);
  };
  const rows = callables.filter(readsPages);
  const makeGiven = ({ name, kind }: Callable) => {
    const controller = new AbortController();
    if (kind === 'follow') controllers.set(name, controller);
    const headers = { 'x-test': name };
    return given(controller.signal, {}, 30_000, 3_000, { headers });
  };
  for (const { name, error } of await endsOf(respond, makeGiven, rows)) {
    if (name === 'waitForRouting') assert(error instanceof client.RoutingPendingError);
    else assert.equal(error, undefined, `${name}: ${error}`);
  }
  assert.equal(cut.size, rows.length);
});

test('a token that is refused is discarded by whatever sends it', {
  timeout: 300_000,
}, async () => {
  const sent = new Set<string>();
  const discarded = new Set<string>();
  const respond: Respond = (request, response, body) => {
    const { authorization = '' } = request.headers;
    if (!authorization.startsWith('Bearer refused ')) {
      return respondInOrder(request, response, body);
    }
    sent.add(authorization.replace('Bearer ', ''));
    response.writeHead(401).end();
  };
  const makeGiven = (row: Callable) => {
    let token = `refused ${row.name}`;
    const discard = (refused: string) => {
      discarded.add(refused);
      token = 'new';
    };
    return given(undefined, {}, 30_000, 60_000, {
      tokens: { getToken: async () => token, discard },
    });
  };
  // What waits for ever may be ended before its response has arrived.
  const rows = callables.filter(({ kind, name }) => kind !== 'follow' && name !== 'waitForRouting');
  await endsOf(respond, makeGiven, rows);
  assert.deepEqual(
    [...sent].filter((token) => !discarded.has(token)),
    [],
  );
  // Each operation, at least.
  assert(sent.size > Object.keys(operations).length / 2, `${sent.size} were refused`);
});

test('a store that refuses is closed by nobody, and one that is read by who has read it', {
  timeout: 300_000,
}, async () => {
  for (const refuses of [true, false]) {
    const reads = new Map<string, number>();
    const closes = new Map<string, number>();
    const names = new Map<string, string>();
    const makeGiven = (row: Callable): Given => {
      const count = (counts: Map<string, number>) =>
        counts.set(row.name, (counts.get(row.name) ?? 0) + 1);
      const store: client.MarkerStore = {
        read: async ({ feed }) => {
          count(reads);
          names.set(row.name, feed);
          if (refuses) throw new RangeError('in use');
          return undefined;
        },
        write: () => undefined,
        close: () => void count(closes),
      };
      return { ...given(endFollowing(row), {}, 30_000, 1_000), store };
    };
    const ends = await endsOf(respondInOrder, makeGiven);
    assert.deepEqual(closes, refuses ? new Map() : reads);
    for (const { name, error } of ends) {
      if (refuses) assert.equal(error instanceof RangeError, reads.has(name), `${name}: ${error}`);
    }
    assert.deepEqual(
      callables.filter(({ kind, name }) => kind === 'follow' || name === 'waitForRouting').length,
      reads.size,
    );
    // Who passes over entries has a position that is no one's else.
    const feedOf = (name: string) => names.get(name);
    for (const own of ['waitForRouting', 'mirrorGoodsItems']) {
      const same = [...names.keys()].filter((name) => feedOf(name) === feedOf(own));
      assert.deepEqual(same, [own]);
    }
  }
});

test('any number of calls may share a signal', { timeout: 300_000 }, async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  // Each kind alone too: a warning comes once for a signal.
  for (const row of [undefined, ...callables.filter(({ name }) => name in helpers)]) {
    const signal = AbortSignal.timeout(row === undefined ? 2_000 : 300);
    const rows = row === undefined ? callables : Array.from({ length: 12 }, () => row);
    await endsOf(respondInOrder, () => given(signal, {}, 30_000, 3_000), rows);
  }
  await later(0);
  assert.deepEqual(warnings, []);
});

/** How the peer loses its response to a presentation that it has carried out. */
const losses: Record<string, Respond> = {
  'closed before the response': (request) => request.socket.destroy(),
  'cut response': (_, response) => void response.setHeader('connection', 'close').end('{"requ'),
  ...Object.fromEntries(
    [408, 429, 500, 502, 503, 504].map((status) => [
      `status ${status}`,
      (_, response) => void response.writeHead(status).end(),
    ]),
  ),
};

for (const [loss, lose] of Object.entries(losses)) {
  for (const aheadMs of [-3_600_000, 0, 3_600_000]) {
    const name = `carried out, then ${loss}, by a gateway whose clock is ${aheadMs / 1000} s ahead`;
    test(`${name}: it is presented, once`, { timeout: 300_000 }, async () => {
      const presented = new Map<string, string>();
      const serve: Respond = (request, response, body) => {
        // A request of the test before may still be on its way.
        if (request.headers['x-test'] !== name) return void request.socket.destroy();
        response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
        const requestId = request.url?.split('/').at(-1) ?? '';
        if (request.method === 'GET') {
          const notificationDate = presented.get(requestId);
          if (notificationDate === undefined) return void response.writeHead(404).end();
          const mrn = '26NO7K2M4Q9XWR5HT0';
          const status = { requestId, status: 'SUCCESS', notificationDate, mrn };
          return void response.end(JSON.stringify(status));
        }
        const sent = JSON.parse(body).requestId;
        if (!presented.has(sent)) {
          presented.set(sent, new Date().toISOString());
          return lose(request, response, body);
        }
        const reused = { field: 'requestId', error: 'was used', code: 'REQUEST_ID_REUSED' };
        response.writeHead(400).end(JSON.stringify({ validationErrors: [reused] }));
      };
      const rows = callables.filter(({ kind }) => kind === 'present');
      const headers = { 'x-test': name };
      const makeGiven = () => given(undefined, {}, 30_000, 60_000, { headers });
      const ends = await endsOf(serve, makeGiven, rows);
      for (const { name: row, error } of ends) assert.equal(error, undefined, `${row}: ${error}`);
      assert.equal(presented.size, rows.length);
    });
  }
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
    const ends = await endsOf(respond, makeGiven, sending);
    for (const { name, kind, asksFirst, value, error } of ends) {
      if (kind === 'follow' && error === undefined) {
        assert.deepEqual(value ?? [], [], name);
        continue;
      }
      // A run of many ends with the reason: what has no outcome is not known.
      const isMany = /^(?:presentMany|presentInBatches|lodgeMany|lodgeJourney)$/.test(name);
      if (kind === 'present' && isSent && !asksFirst && !isMany) {
        assert(error instanceof OutcomeUnknownError, `${name}: ${error}`);
      } else if (stage.startsWith('in the pause') && kind === 'call') {
        // What may not be repeated has no pause.
        assert(error === reason || error instanceof LandfallError, `${name}: ${error}`);
      } else assert.equal(error, reason, `${name}: ${error}`);
    }
  });
}
