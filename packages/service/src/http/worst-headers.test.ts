// Headers, queries and paths that take longest to read must not take the main thread of the server much longer than
// ordinary ones. They are made from the headers that may be read, the routes and the operations: new ones are included.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, samplePath } from '../testing/request-samples.js';
import { type ServedRoute, sampleAddress } from '../testing/served-routes.js';
import { startSignInServer } from '../testing/sign-in-server.js';
import { worstAddressParts, worstTexts, worstTextsOfHeader } from '../testing/worst-texts.js';

/** Processor time that the requests of a batch may take together beyond twice that of ordinary ones, in milliseconds. */
const MAX_EXTRA_MS = 36;

/** Requests that are measured together: the shorter a batch, the less its noise. */
const BATCH = 18;

/** Nothing but exponential time shows with a header of no more characters. */
const SHORT_LIMIT = 256;

/** The next texts that a header gets at each route. Those that may be long get all somewhere. */
const TEXTS_AT_ROUTE = 1;

/** The texts that each operation gets of a header that may be long and that it names; together its operations get all. */
const TEXTS_AT_READER = 40;

/** The same at the routes of signing in, which are few. */
const TEXTS_AT_SIGN_IN = 10;

/** Queries without names of parameters that each operation gets, which all operations read alike; together they get all. */
const UNNAMED_QUERIES = 12;

/** What an address and the headers of one request may have together, with space for those of the client. */
const MAX_REQUEST_CHARACTERS = 14_500;

/** Measured again before it counts: what is added by garbage collection is not there each time. */
const ATTEMPTS = 4;

const table: Operation[] = Object.values(operations);
const operationOf = new Map(
  table.map((operation) => [
    `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation,
  ]),
);

/** `tested`: the header that has the text. */
type Sent = { method: string; path: string; headers: Record<string, string>; tested?: string };

/**
 * The operations at which a header gets all texts: those that name it. What all operations read, they read by one code: one
 * without a body and one with it get it.
 */
function readersOf(name: string): Operation[] {
  const readers = table.filter(({ headers = {} }) => Object.hasOwn(headers, name));
  const any = [operations.listValidationStatuses, operations.presentHouseConsignment];
  return readers.length > 0 ? readers : any;
}

/** What the routes of signing in read of a query or a form. */
const SIGN_IN_NAMES = 'return code state iss error error_description logout_token'.split(' ');

describe('the worst headers and addresses', () => {
  let server: PlaygroundProcess;
  let playground: PlaygroundProcess;
  let signIn: PlaygroundProcess;
  let closeSignIn: () => Promise<void>;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  before(async () => {
    playground = await PlaygroundProcess.start();
    ({ server: signIn, close: closeSignIn } = await startSignInServer());
  });
  beforeEach(() => {
    server = playground;
  });
  after(async () => {
    agent.destroy();
    await Promise.all([playground.close(), closeSignIn()]);
  });

  /** The routes that only the server with a provider has. */
  const signInRoutes = () => {
    const known = new Set(playground.ready.routes.map(({ method, url }) => `${method} ${url}`));
    return signIn.ready.routes.filter(({ method, url }) => !known.has(`${method} ${url}`));
  };

  /** Headers with a token for the route, if it needs one. */
  const authorized = (operation: Operation | undefined): Record<string, string> => {
    const identity = operation && identityFor(operation);
    const token = identity === undefined ? undefined : server.ready.tokens[identity];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };

  /** The status of the response. A response that does not begin in time is not waited for. */
  const send = ({ method, path, headers }: Sent): Promise<number> => {
    const { hostname, port } = new URL(server.ready.baseUrl);
    return new Promise((resolve) => {
      const sent = request({ hostname, port, method, path, headers, agent }, (response) => {
        resolve(response.statusCode ?? 0);
        if (response.headers['content-type']?.startsWith('text/event-stream')) sent.destroy();
        response.on('error', () => undefined).resume();
      });
      sent.setTimeout(1000, () => sent.destroy());
      // The connection is closed, or this client refuses to send it.
      sent.on('error', () => resolve(0));
      sent.end();
    });
  };

  /** The processor time of the server for these requests, in milliseconds. */
  const measure = async (requests: readonly Sent[]): Promise<number> => {
    const started = await server.readProcessorTime();
    for (const one of requests) {
      const status = await send(one);
      assert.ok(status < 500, `${status} for ${describeSent(one)}`);
    }
    return (await server.readProcessorTime()) - started;
  };

  const assertCheap = async (requests: readonly Sent[], ordinary: Sent): Promise<void> => {
    for (let at = 0; at < requests.length; at += BATCH) {
      await assertBatchCheap(requests.slice(at, at + BATCH), ordinary);
    }
  };

  const assertBatchCheap = async (requests: readonly Sent[], ordinary: Sent): Promise<void> => {
    let attempts = 0;
    for (;;) {
      const took = await measure(requests.map((sent) => makeNew(sent, attempts)));
      if (took <= MAX_EXTRA_MS) return;
      const usual = await measure(requests.map(() => ordinary));
      if (took <= 2 * usual + MAX_EXTRA_MS) return;
      if (++attempts < ATTEMPTS) continue;
      const times: { time: number; sent: Sent }[] = [];
      for (const sent of requests)
        times.push({ time: await measure([makeNew(sent, attempts)]), sent });
      const [worst] = times.sort((one, other) => other.time - one.time);
      assert.ok(worst);
      const { time, sent } = worst;
      assert.fail(
        `${Math.round(took)} ms instead of ${Math.round(usual)}, ${Math.round(time)} of them for ${describeSent(sent)}`,
      );
    }
  };

  const headersCostLittle = async (
    routes: readonly ServedRoute[],
    length: number,
  ): Promise<void> => {
    for (const [at, route] of routes.entries()) {
      const operation = operationOf.get(`${route.method} ${route.url}`);
      const ordinary = ordinaryAt(route, authorized(operation));
      const requests = Object.entries(server.ready.headerLimits).flatMap(([name, limit]) => {
        const texts = worstTextsOfHeader(name, limit);
        return nextTexts(texts, at, length).map((text) => withHeader(ordinary, name, text));
      });
      await assertCheap(requests, ordinary);
    }
  };

  test('every header of the longest permitted length costs little at every route', async () => {
    const { routes, headerLimits } = server.ready;
    // Not only those of the service: the playground reads one as well.
    assert.ok('Landfall-Scenario' in headerLimits);
    const served = routes.filter(({ url }) => !url.startsWith('/playground'));
    assert.ok(served.length > 50, String(served.length));
    await headersCostLittle(drawCases('routes with headers', served, 20), TEXTS_AT_ROUTE);
  });

  test('every header that may be long costs little with each text where it is read', async () => {
    for (const [name, limit] of Object.entries(server.ready.headerLimits)) {
      if (limit <= SHORT_LIMIT) continue;
      const texts = worstTextsOfHeader(name, limit);
      const readers = readersOf(name);
      const length = Math.max(TEXTS_AT_READER, Math.ceil(texts.length / readers.length));
      for (const [at, operation] of readers.entries()) {
        const { method } = operation;
        const ordinary = { method, path: samplePath(operation), headers: authorized(operation) };
        await assertCheap(
          nextTexts(texts, at, length).map((text) => withHeader(ordinary, name, text)),
          ordinary,
        );
      }
    }
  });

  test('every header costs little at every route of signing in', async () => {
    server = signIn;
    const routes = signInRoutes();
    assert.ok(routes.length >= 3, JSON.stringify(routes));
    await headersCostLittle(routes, TEXTS_AT_SIGN_IN);
  });

  test('the worst queries cost little at every route of signing in', async () => {
    server = signIn;
    for (const route of signInRoutes()) {
      const ordinary = ordinaryAt(route, {});
      for (const part of worstAddressParts) {
        const all = SIGN_IN_NAMES.map((name) => `${name}=${part.repeat(1500 / part.length)}`);
        const one = SIGN_IN_NAMES.map((name) => `${name}=${part.repeat(12_000 / part.length)}`);
        const queries = [all.join('&'), ...one];
        const requests = queries.map((query) => ({
          ...ordinary,
          path: `${ordinary.path}?${query}`,
        }));
        await assertCheap(requests, ordinary);
      }
    }
  });

  test('headers that are too long cost little', async () => {
    const ordinary: Sent = {
      method: 'GET',
      path: samplePath(operations.listValidationStatuses),
      headers: authorized(operations.listValidationStatuses),
    };
    const names = Object.keys(server.ready.headerLimits);
    const texts = worstTexts(MAX_REQUEST_CHARACTERS - JSON.stringify(ordinary.headers).length);
    // They are refused for their length, whatever they are called: each text is that of one header.
    const requests = texts.map((text, at) =>
      withHeader(ordinary, names[at % names.length] ?? '', text),
    );
    await assertCheap(requests, ordinary);
  });

  for (const [at, operation] of drawCases('worst addresses', [...table.entries()], 30)) {
    test(`${operation.operationId} reads the worst queries and paths quickly`, async () => {
      const headers = authorized(operation);
      const ordinary: Sent = { method: operation.method, path: samplePath(operation), headers };
      const paths = worstAddresses(operation, JSON.stringify(headers).length, at);
      await assertCheap(
        paths.map((path) => ({ ...ordinary, path })),
        ordinary,
      );
    });
  }

  test('the servers have had no internal error', () => {
    for (const each of [playground, signIn]) {
      assert.ok(each.isAlive);
      assert.deepEqual(each.internalErrors, []);
    }
  });
});

/** The texts of a position when each takes the next so many, from the beginning again after the last: no text twice. */
function nextTexts(texts: readonly string[], position: number, many: number): string[] {
  return Array.from(
    { length: Math.min(many, texts.length) },
    (_, index) => texts[(position * many + index) % texts.length] ?? '',
  );
}

function ordinaryAt(route: ServedRoute, headers: Record<string, string>): Sent {
  return { method: route.method, path: sampleAddress(route), headers };
}

function withHeader({ headers, ...rest }: Sent, name: string, text: string): Sent {
  return { ...rest, headers: { ...headers, [name.toLowerCase()]: text }, tested: name };
}

/** The same with another text, of which no result is kept from an earlier attempt. */
function makeNew(sent: Sent, attempt: number): Sent {
  const { tested } = sent;
  if (attempt === 0 || tested === undefined) return sent;
  const text = sent.headers[tested.toLowerCase()] ?? '';
  const end = String(attempt);
  return withHeader(sent, tested, text.slice(0, -end.length) + end);
}

/** What a query consists of that has no name of a parameter: all of it of one part, with each of these after it. */
const unnamedQueries = worstAddressParts.flatMap((part) =>
  ['', '=', '=1&', '&', '[]=1&', ';'].map((end) => part + end),
);

/** The longest addresses of the operation at a position in the table: long values of each parameter, and very many. */
function worstAddresses(operation: Operation, headersLength: number, position: number): string[] {
  const path = samplePath(operation);
  const space = MAX_REQUEST_CHARACTERS - headersLength - path.length - 50;
  const fill = (part: string, length: number) => part.repeat(Math.floor(length / part.length));
  const queryNames = Object.keys(operation.query?.properties ?? {});
  const pathNames = Object.keys(operation.parameters ?? {});
  const ofParts = worstAddressParts.flatMap((part) => [
    ...queryNames.map((name) => `${path}?${name}=${fill(part, space - name.length)}`),
    ...pathNames.flatMap((name) =>
      [200, space].map((length) =>
        samplePath(operation, { [name]: 'WORST' }).replace('WORST', fill(part, length)),
      ),
    ),
  ]);
  const unnamed = nextTexts(unnamedQueries, position, UNNAMED_QUERIES).map(
    (part) => `${path}?${fill(part, space)}`,
  );
  const many = Array.from({ length: 2000 }, (_, at) => `${at}=`).join('&');
  return [
    ...ofParts,
    ...unnamed,
    ...queryNames.map((name) => `${path}?${fill(`${name}=1&`, space)}`),
    `${path}?${many}`.slice(0, space),
  ];
}

function describeSent({ method, path, headers }: Sent): string {
  const shown = Object.entries(headers).filter(([name]) => name !== 'authorization');
  return `${method} ${path.slice(0, 200)} ${JSON.stringify(Object.fromEntries(shown)).slice(0, 200)}`;
}
