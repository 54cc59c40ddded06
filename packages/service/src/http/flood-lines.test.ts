// Refused requests write a bounded number of lines to the log, at every route of a playground and of a server at which
// people sign in: whoever is refused may repeat the request thousands of times a second.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { sampleAddress } from '../testing/served-routes.js';
import { startSignInServer } from '../testing/sign-in-server.js';

/** The lines that one status of one address has in a minute, whatever the route, and requests that would have more. */
const [MAX_LINES, REQUESTS] = [60, 90];

/** Requests to each route first. Only where they have lines, because the minute has just begun, are the others sent. */
const FIRST_REQUESTS = 6;

/** Lines about refusals of another status, and about how many were left out. */
const FURTHER_LINES = 20;

/** Garbage in each form in which a route may read something. */
const FORMS = [
  { headers: { authorization: 'Bearer garbage' }, body: '' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'logout_token=a&x=1' },
  { headers: { 'content-type': 'application/json' }, body: '{"a":' },
];

describe('the log of a server that is flooded with garbage', () => {
  const servers: { name: string; server: PlaygroundProcess; close: () => Promise<void> }[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  before(async () => {
    const server = await PlaygroundProcess.start(undefined, { logLevel: 'info' });
    servers.push({ name: 'playground', server, close: () => server.close() });
    servers.push({ name: 'sign-in', ...(await startSignInServer()) });
  });
  after(async () => {
    agent.destroy();
    for (const { close } of servers) await close();
  });

  const send = (url: URL, method: string, { headers, body }: (typeof FORMS)[number]) =>
    new Promise<number>((resolve, reject) => {
      const length = { 'content-length': String(body.length) };
      const sent = request(
        url,
        { method, headers: { ...headers, ...length }, agent },
        (response) => {
          response.on('close', () => resolve(response.statusCode ?? 0)).resume();
        },
      );
      sent.on('error', reject).end(body);
    });

  /** The number of lines, once no more of them arrive. */
  const countLines = async (server: PlaygroundProcess): Promise<number> => {
    for (let last = -1; ; await delay(20)) {
      const count = server.countLines();
      if (count === last) return count;
      last = count;
    }
  };

  test('has a bounded number of lines for each route', async () => {
    const flooded = new Set<string>();
    for (const { name, server } of servers) {
      for (const route of drawCases(`flooded routes of ${name}`, server.ready.routes, 40)) {
        const url = new URL(sampleAddress(route), server.ready.baseUrl);
        const known = `${route.method} ${route.url}`;
        // A reset or a closed server would end the test.
        if (flooded.has(known) || url.pathname.startsWith('/playground')) continue;
        flooded.add(known);
        for (const form of FORMS) {
          const flood = async (requests: number) => {
            const before = await countLines(server);
            const sending = Array.from({ length: requests }, () => send(url, route.method, form));
            const statuses = new Set(await Promise.all(sending));
            return { statuses, lines: (await countLines(server)) - before };
          };
          // One may be about how many were left out.
          if ((await flood(FIRST_REQUESTS)).lines <= 1) continue;
          const { statuses, lines } = await flood(REQUESTS);
          const what = `${name}: ${known} with ${JSON.stringify(form)}`;
          assert(lines <= MAX_LINES + FURTHER_LINES, `${what}: ${lines} lines, ${[...statuses]}`);
        }
      }
    }
    assert(flooded.size > 50, `${flooded.size} routes`);
  });
});
