// A server whose clock is off does nothing for callers, at any address: what it recorded would have a wrong time.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '@landfall/contract';
import { makeApp } from '../app.js';
import { readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { observeServers, type ServedRoute, sampleAddress } from '../testing/served-routes.js';
import { until } from '../testing/until.js';
import { makeClockCheck } from './check-clock.js';

const served = observeServers();

/** What operators need to see why. */
const forOperators: string[] = [
  operations.getLiveness.path,
  operations.getReadiness.path,
  operations.getMetrics.path,
];

describe('a server whose clock is off', () => {
  let database: Database;
  let folder: string;
  before(async () => {
    database = await openInMemory();
    folder = await mkdtemp(join(tmpdir(), 'landfall-clock-'));
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What each route responds while the clock differs by so much, in milliseconds. */
  const respondWith = async (shift: number) => {
    const clock = makeClockCheck(database, () => Date.now() + shift);
    const { app } = await makeApp({
      config: readConfig({ LANDFALL_LOG_LEVEL: 'silent' }),
      database,
      baseUrl: 'http://localhost:1',
      keysFolder: join(folder, 'keys'),
      identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
      conditions: [clock.condition],
      metrics: {},
    });
    const answer = async (route: ServedRoute) => {
      // The cast is true because Fastify has taken the method.
      const method = route.method as 'GET';
      const { statusCode, body } = await app.inject({ method, url: sampleAddress(route) });
      return { ...route, status: statusCode, body };
    };
    try {
      await app.ready();
      // The first check is done before the server listens.
      await delay(0);
      // One after the other: on a busy machine, so many at once keep the database from its check of readiness.
      const answers: Awaited<ReturnType<typeof answer>>[] = [];
      for (const route of served.routes) answers.push(await answer(route));
      return answers;
    } finally {
      await app.close();
    }
  };

  for (const shift of [-7_200_000, 7_200_000]) {
    test(`by ${shift} ms refuses every request but those of operators`, async () => {
      const answers = await respondWith(shift);
      assert(answers.length > 50, `${answers.length} routes`);
      for (const { method, url, status, body } of answers) {
        const isExpected = forOperators.includes(url)
          ? method !== 'GET' || url === operations.getReadiness.path || status === 200
          : status === 503 &&
            (method === 'HEAD' || /clock of this server is 7(?:199|200)\.\d s/.test(body));
        assert(isExpected, `${method} ${url}: ${status} ${body.slice(0, 200)}`);
      }
    });
  }

  test('is one by more than 2 s', async () => {
    const answers = await respondWith(500);
    const refused = answers.filter(({ status }) => status === 503);
    assert.deepEqual(refused, []);
  });

  test('or was not compared yet refuses them too, until one comparison has a result', async (context) => {
    let failures = 3;
    const slow: Database = {
      ...database,
      lookUps: {
        query: async (statement) => {
          if (failures-- > 0) throw new Error('the database does not respond');
          return database.lookUps.query(statement);
        },
      },
    };
    const { app } = await makeApp({
      config: readConfig({ LANDFALL_LOG_LEVEL: 'silent' }),
      database,
      baseUrl: 'http://localhost:1',
      keysFolder: join(folder, 'keys'),
      identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
      conditions: [makeClockCheck(slow).condition],
      metrics: {},
    });
    context.after(() => app.close());
    const { path } = operations.listHouseConsignments;
    for (const url of [path, operations.getReadiness.path]) {
      const { statusCode, body } = await app.inject(url);
      assert.equal(statusCode, 503);
      assert.match(body, /No check of the clock has had a result since the start/);
    }
    const begun = performance.now();
    await until(async () => (await app.inject(operations.getReadiness.path)).statusCode === 200);
    assert.notEqual((await app.inject(path)).statusCode, 503);
    // Three checks at the interval of a running server would take 15 s.
    assert(performance.now() - begun < 10_000);
  });
});
