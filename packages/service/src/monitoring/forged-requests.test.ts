// What strangers send to any address raises no critical alarm, on both databases.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { ServiceStatus } from '@landfall/contract';
import { grantScopes } from '../access/grant-scopes.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { ConsoleService } from '../testing/console-service.js';
import { drawnDatabases } from '../testing/databases.js';
import { PersonAgent } from '../testing/person-agent.js';
import { observeServers, type ServedRoute, sampleAddress } from '../testing/served-routes.js';

const CUSTOMS = '0192:974761076';
const STATUS = '/console/api/api/authority/v1/service-status';
const CALLBACK = '/console/sign-in/callback';

const { routes } = observeServers();

const garbageTokens = [
  'garbage',
  'a.b.c',
  `${btoa('{"alg":"RS256","kid":"unknown"}')}.${btoa('{"iss":"x"}')}.x`.replaceAll('=', ''),
  'x'.repeat(8000),
];
const garbageCookies = [
  'landfall-console=garbage; landfall-sign-in=garbage',
  `landfall-console=${'A'.repeat(43)}; landfall-sign-in=s n v /console/`,
  'landfall-console=%00%ED%A0%80; landfall-sign-in=s%20n%20v%20%2Fconsole%2F',
  `landfall-console=${'x'.repeat(6000)}`,
];
const garbageQueries = [
  '',
  '?state=s&code=c',
  '?state=s&state=s&code=c&code=d&iss=x',
  '?state=s&error=server_error',
  '?state=s&response=x.y.z&id_token=a.b.c',
  '?state=%00&code=%ED%A0%80&marker=%00&return=//x',
  `?state=s&code=${'x'.repeat(6000)}`,
];
const bodies: [string, string][] = [
  ['application/json', '{"a":"\\u0000\\ud800"}'],
  ['application/json', '['.repeat(5000)],
  ['application/x-ndjson', '{}\n{}\n'],
  ['application/x-www-form-urlencoded', 'logout_token=a.b.c&grant_type=x&assertion=a.b.c'],
  ['application/x-www-form-urlencoded', 'logout_token=%00&logout_token=x&client_id=%00'],
  ['text/plain', 'garbage'],
];

type Forged = { headers?: Record<string, string>; body?: string };

/** Requests to one route, without a token or with one that nobody issued: their addresses and what is sent. */
function* forgedRequests(route: ServedRoute): Generator<[string, Forged]> {
  const { method } = route;
  const path = sampleAddress(route);
  const paths = path.startsWith('/api/') ? [path, `/console/api${path}`] : [path];
  for (const address of paths) {
    for (const query of garbageQueries) yield [address + query, {}];
    for (const token of garbageTokens) {
      yield [address, { headers: { authorization: `Bearer ${token}` } }];
    }
    for (const cookie of garbageCookies) {
      for (const query of garbageQueries.slice(0, 2)) {
        yield [address + query, { headers: { cookie } }];
      }
    }
    if (method === 'GET' || method === 'HEAD') continue;
    for (const [type, body] of bodies) {
      yield [address, { headers: { 'content-type': type }, body }];
      yield [
        address,
        {
          headers: {
            'content-type': type,
            authorization: `Bearer ${garbageTokens[1]}`,
            'content-encoding': 'gzip',
          },
          body,
        },
      ];
    }
  }
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`forged requests on ${name}`, { skip }, () => {
    let database: Database;
    let service: ConsoleService;
    let statuses = 0;
    before(async () => {
      database = await open();
      await grantScopes(database, new AuditTrail(), new Date(), CUSTOMS, {
        scopes: ['authority/operations'],
      });
      service = await ConsoleService.start(
        database,
        { operator: { name: 'Operator', organisation: CUSTOMS, roles: ['operator'] } },
        { LANDFALL_RATE_LIMIT: '0' },
      );
    });
    after(async () => {
      agent.destroy();
      await service?.close();
    });

    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    /** The status of a response. There are thousands, and `fetch` takes three times as much of the processor. */
    const send = (method: string, url: string, { headers, body }: Forged): Promise<number> =>
      new Promise((resolve, reject) => {
        // Without the length, Node.js sends the body of some methods as if it were the next request.
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const sent = request(url, { method, agent, headers: { ...headers, ...length } });
        sent.on('response', (response) => {
          response.resume().on('close', () => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject);
        sent.end(body);
      });

    /** The critical problems now, and how many minutes the status knows. */
    const readStatus = async () => {
      const operator = await service.signIn('operator');
      // A status is shared for some seconds, those of other numbers of hours are not.
      const response = await operator.act(`${STATUS}?hours=${++statuses}`);
      assert.equal(response.status, 200);
      // The cast is true because it is what the contract says.
      const { problems, series } = (await response.json()) as ServiceStatus;
      return {
        critical: problems.filter(({ severity }) => severity === 'critical'),
        minutes: series.points.length,
      };
    };

    /** Lets two minutes pass in each of which this was sent, and expects the status to have no critical problem. */
    const expectNoAlarm = async (sendInMinute: (minute: number) => Promise<void>) => {
      for (let minute = 0; minute < 2; minute++) {
        await sendInMinute(minute);
        await database.query({
          name: 'test-pass-a-minute',
          text: "update server_figures set at = at - interval '1 minute'",
          values: [],
        });
        // A server that is about to stop removes nothing, and says so.
        await service.servers[0]?.catchUp().catch((error: Error) => {
          assert.equal(error.name, 'RemovalPausedError');
        });
      }
      const { critical, minutes } = await readStatus();
      assert.deepEqual(critical, []);
      assert(minutes >= 2, `${minutes} minutes`);
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
      assert.match(metrics, /landfall_background_failures_total\{task="console-sign-in"\} 0/);
    };

    test('50 forged callbacks of the sign-in are 400, with or without a cookie that the service made', async () => {
      await expectNoAlarm(async () => {
        const agent = new PersonAgent(service.baseUrl);
        const given = new Set<number>();
        for (let times = 0; times < 10; times++) {
          const started = await agent.send('/console/sign-in');
          const state = new URL(started.headers.get('location') ?? '').searchParams.get('state');
          const own = `landfall-sign-in=${agent.cookie('landfall-sign-in')}`;
          const ownMade = 'landfall-sign-in=s%20n%20v%20%2Fconsole%2F';
          const iss = `iss=${encodeURIComponent(service.provider.issuer)}`;
          for (const [cookie, query] of [
            [ownMade, `?state=s&code=forged&${iss}`],
            [ownMade, '?state=s&code=forged'],
            [own, `?state=${state}&code=forged&${iss}`],
            [own, `?state=${state}&code=forged`],
            [own, `?state=${state}&code=forged&iss=https://other.example`],
            [own, `?state=${state}&state=${state}&code=forged&${iss}`],
            [own, `?state=${state}&code=${'x'.repeat(5000)}&${iss}`],
            [own, `?state=${state}&code=%00&${iss}`],
            [own, `?state=${state}&${iss}`],
            [own, `?state=${state}&${iss}&response=x.y.z`],
            [own, `?state=${state}&${iss}&error=server_error&error_description=%00`],
            [own, `?state=${state}&${iss}&id_token=a.b.c&code=forged`],
          ] as const) {
            const response = await fetch(service.baseUrl + CALLBACK + query, {
              redirect: 'manual',
              headers: { cookie },
            });
            given.add(response.status);
            await response.body?.cancel();
          }
        }
        assert.deepEqual([...given], [400]);
      });
    });

    test('nothing that strangers send to any address is a failure of the service', async () => {
      const served = [...new Map(routes.map((one) => [`${one.method} ${one.url}`, one])).values()];
      assert(served.length > 50, `${served.length} routes`);
      let made = 0;
      await expectNoAlarm(async (minute) => {
        for (const route of served) {
          for (const [path, forged] of forgedRequests(route)) {
            // In the second minute, each kind goes to a third of the routes: an alarm only needs it to go on. The embedded
            // database gets no more, because few of these requests reach a database.
            if ((minute > 0 || name === 'embedded') && made++ % 3 > 0) continue;
            const status = await send(route.method, service.baseUrl + path, forged);
            assert(status < 500, `${route.method} ${path.slice(0, 200)}: ${status}`);
          }
        }
      });
    });

    test('asking often whether a draining server is ready is no failure', async () => {
      service.servers[0]?.drain();
      await expectNoAlarm(async () => {
        for (let times = 0; times < 50; times++) {
          const response = await fetch(`${service.baseUrl}/readyz`);
          await response.body?.cancel();
          assert.equal(response.status, 503);
        }
      });
    });
  });
}
