// Operations against a peer that cuts its responses, or asks for endless pauses. The faults that all share are in
// `hostile-matrix.test.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError } from '../errors/connection-error.js';
import { ConfigurationError, UnexpectedResponseError } from '../errors/landfall-error.js';
import { TokenError } from '../errors/token-error.js';
import { EventParser } from '../following/event-parser.js';
import { followRouting } from '../following/follow-feeds.js';
import * as operations from '../operations/operations.js';
import { sampleOf } from '../testing/callables.js';
import { type Respond, startPeer } from '../testing/hostile-peer.js';
import { obtainToken } from '../tokens/obtain-token.js';
import { asTexts } from './as-texts.js';
import { formBody } from './body-form.js';
import { Connection } from './connection.js';
import { Lines } from './lines.js';
import type { Operation } from './operation.js';
import type { ConnectionOptions } from './options.js';
import { emptyResult, linesResult, pageResult, textResult } from './result-form.js';

const hostile = await startPeer();
const other = await startPeer();

const connect = (options: Partial<ConnectionOptions> = {}) =>
  new Connection({
    baseUrl: hostile.url,
    tokens: { getToken: async () => 'secret', discard: () => undefined },
    retry: false,
    ...options,
  });

// The cast is true because the module exports operations only.
const all = Object.values(operations) as Operation[];

/** Calls the operation with something for each of its parameters, and reads lines to their end. */
async function call(operation: Operation, connection = connect()): Promise<unknown> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = Object.fromEntries(names.map((name) => [name, sampleOf(name)]));
  const isForm = operation.body === formBody;
  const body = operation.body === undefined ? {} : { body: isForm ? { grant_type: 'x' } : [{}] };
  const result = await connection.call(operation, { parameters, ...body });
  return result instanceof Lines ? result.toArray() : result;
}

test('there are operations of each form', () => {
  for (const form of [pageResult, linesResult, emptyResult, textResult]) {
    assert(all.some(({ result }) => result === form));
  }
});

for (const operation of all) {
  const { operationId, result, access } = operation;
  if (result === pageResult) {
    test(`${operationId}: a page that was cut is no page`, async () => {
      hostile.respond = ({ headers }, response) => {
        response.setHeader('Landfall-Count', '3');
        response.end(headers.accept === 'application/json' ? '[{},{}]' : '{}\n{}\n');
      };
      await assert.rejects(call(operation), /was cut: 2 of 3 entries/);
      // The cast is true because the form of the result is that of a page.
      const texts = asTexts(operation as Parameters<typeof asTexts>[0]);
      await assert.rejects(call(texts), /was cut: 2 of 3 entries/);
    });
  }
  if (result === linesResult) {
    test(`${operationId}: results that were cut at a line end are not all results`, async () => {
      for (const end of ['', '{"summary":{"lines":3}}\n']) {
        hostile.respond = ({ headers }, response) => {
          assert.equal(headers.prefer, 'summary');
          response.setHeader('Preference-Applied', 'summary');
          response.end(`{"line":1}\n{"line":2}\n${end}`);
        };
        await assert.rejects(
          call(operation),
          (error) => error instanceof ConnectionError && error.outcomeUnknown,
        );
      }
      hostile.respond = (_, response) => response.end('{"line":1}\n');
      assert.deepEqual(await call(operation), [{ line: 1 }]);
    });
  }
  test(`${operationId}: tokens are not sent unencrypted to another machine`, async () => {
    if (access === 'public') return;
    for (const baseUrl of [
      'http://customs.example',
      'http://localhost.example',
      'ftp://localhost',
    ]) {
      assert.throws(() => connect({ baseUrl }), ConfigurationError);
    }
    assert.equal(
      connect({ baseUrl: 'http://service:8080', allowHttp: true }).baseUrl,
      'http://service:8080',
    );
  });
}

test('a redirect says where it leads', async () => {
  hostile.respond = (_, response) =>
    void response.writeHead(307, { location: `${other.url}/stolen` }).end();
  await assert.rejects(call(operations.getLiveness), (error) => {
    assert(error instanceof UnexpectedResponseError, String(error));
    return error.message.includes('/stolen');
  });
});

test('an error whose body drips ends in time', async () => {
  hostile.respond = (_, response) => {
    response.writeHead(400);
    const drops = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(drops));
  };
  await assert.rejects(call(operations.getLiveness, connect({ timeoutMs: 3_000 })), ApiError);
});

test('a line, an event and a body without an end are errors', async () => {
  const piece = new TextEncoder().encode('x'.repeat(4 * 1024 * 1024));
  const fetch = async () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }));
  const endless = connect({ fetch, timeoutMs: 60_000 });
  await assert.rejects(call(operations.postRoutingDecisions, endless), ConnectionError);
  await assert.rejects(call(operations.getLiveness, endless), ConnectionError);
  const parser = new EventParser();
  assert.throws(() => {
    for (;;) parser.push(`data: ${'x'.repeat(1024 * 1024)}\n`);
  }, UnexpectedResponseError);
  // However its lines are cut into parts.
  const lines = `data: ${'x'.repeat(1000)}\n`.repeat(1000);
  for (const part of [lines, `\n\n${lines}`]) {
    const other = new EventParser();
    if (part === `\n\n${lines}`) {
      // Each of its events ends.
      for (let count = 0; count < 50; count++) other.push(part);
      continue;
    }
    assert.throws(() => {
      for (;;) other.push(part);
    }, UnexpectedResponseError);
  }
});

test('a token endpoint that redirects, drips or does not end gives no token', async () => {
  const responses: Record<string, Respond> = {
    redirect: (_, response) => response.writeHead(307, { location: `${other.url}/token` }).end(),
    'cannot be reached|longer than|cannot reach': (_, response) =>
      void response.writeHead(200).write(`{"x":"${'x'.repeat(1_000_000)}`),
    'no (?:complete )?response': (_, response) => {
      response.writeHead(200);
      const drops = setInterval(() => response.write(' '), 30);
      response.once('close', () => clearInterval(drops));
    },
  };
  // A connection that was idle while lines were parsed is closed, and has to be noticed.
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const step of ['tokenUrl', 'exchangeUrl'] as const) {
    for (const [reason, respond] of Object.entries(responses)) {
      hostile.respond = (request, response) =>
        request.url === `/${step}`
          ? respond(request, response, '')
          : response.end('{"access_token":"a"}');
      const addresses = {
        tokenUrl: `${hostile.url}/tokenUrl`,
        exchangeUrl: `${hostile.url}/exchangeUrl`,
      };
      await assert.rejects(
        obtainToken({ fetch, hooks: {} }, addresses, 'grant', 1500),
        (error) => error instanceof TokenError && new RegExp(reason).test(error.message),
      );
    }
  }
  assert.deepEqual(other.received, []);
});

test('a pause of any length that the service requests is waited for, and an abort ends it', async () => {
  for (const pause of [
    '99999999',
    '2147484',
    '1e99',
    '9'.repeat(400),
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ]) {
    hostile.received.length = 0;
    hostile.respond = (_, response) => response.writeHead(503, { 'retry-after': pause }).end();
    const controller = new AbortController();
    const patient = connect({
      // A pause that overflows ends at once, and others follow.
      hooks: {
        onRetry: ({ attempt }) => {
          if (attempt === 1) setTimeout(() => controller.abort(new RangeError('enough')), 100);
        },
      },
      retry: { maxAttempts: 1000, maxElapsedMs: Number.POSITIVE_INFINITY, baseDelayMs: 200 },
    });
    await assert.rejects(
      patient.call(operations.getLiveness, {}, { signal: controller.signal }),
      RangeError,
    );
    assert.equal(hostile.received.length, 1, pause);
  }
});

test('a follower that waits ends when its loop is ended, as a stream of it is', {
  timeout: 20_000,
}, async () => {
  hostile.respond = ({ url = '' }, response) => {
    if (url.includes('limit=')) response.end('[]');
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
  };
  for (const kind of ['entries', 'pages'] as const) {
    const following = followRouting(connect());
    const items = kind === 'entries' ? following[Symbol.asyncIterator]() : following.pages();
    const next = items.next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await items.return();
    assert.equal((await next).done, true);
  }
});

test('hooks that throw change nothing', async () => {
  hostile.received.length = 0;
  const fail = () => {
    throw new Error('of the hook');
  };
  const hooks = { onRequest: fail, onResponse: fail, onRetry: fail, traceparent: fail };
  hostile.respond = (_, response) =>
    response.writeHead(hostile.received.length === 1 ? 503 : 200).end('OK');
  const observed = connect({ hooks, retry: { baseDelayMs: 1 } });
  assert.equal(await observed.call(operations.getLiveness, {}), 'OK');
  assert.equal(hostile.received.length, 2);
});

test('a fetch that makes its responses itself has further pages too', async () => {
  const fetch = async () =>
    new Response('[]', { headers: { link: '</x?marker=m&limit=5>; rel="next"' } });
  const page = await connect({ fetch }).call(operations.readRoutingSignals, {});
  assert.deepEqual(page.next, { marker: 'm', limit: 5 });
});

test('only a failure to connect proves that nothing was sent', async () => {
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED']) {
    for (const [syscall, isUnknown] of [
      ['connect', false],
      ['read', true],
      ['write', true],
    ] as const) {
      const fetch = async () => {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error(code), { code, syscall }),
        });
      };
      await assert.rejects(
        call(operations.getLiveness, connect({ fetch })),
        (error) => error instanceof ConnectionError && error.outcomeUnknown === isUnknown,
      );
    }
  }
});

test('a page without a count that was cut is continued after its last entry', async () => {
  const entries = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
  const signal = (id: string) => ({ routingResult: { id } });
  hostile.received.length = 0;
  hostile.respond = ({ url = '' }, response) => {
    const after = new URL(url, hostile.url).searchParams.get('marker');
    const rest = entries.slice(after === null ? 0 : entries.indexOf(after) + 1);
    const page = rest.slice(0, 5);
    const last = page.at(-1);
    if (rest.length > 0) response.setHeader('Link', `</?marker=${last}>; rel="next"`);
    // The first page loses its end on the way.
    const arrived = hostile.received.length === 1 ? page.slice(0, 2) : page;
    response.end(JSON.stringify(arrived.map(signal)));
  };
  const seen: string[] = [];
  for await (const { routingResult } of followRouting(connect())) {
    seen.push(routingResult.id);
    if (routingResult.id === 'e6') break;
  }
  assert.deepEqual(seen, entries);
});
