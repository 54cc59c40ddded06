// What cookies and open streams of the console cost, with people who sign in at a real provider, on both databases.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findPort } from '../../../playground/dist/find-port.js';
import { grantScopes } from '../access/grant-scopes.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { ConsoleService } from '../testing/console-service.js';
import { drawnDatabases } from '../testing/databases.js';
import { databaseLimits } from './database-sessions.js';

const CARRIER = '0192:310000019';
const SIGNALS = '/console/api/api/movement/routing/v1/house-consignment';

/** Requests at once: more than the limit lets through even when they fall into many windows of a second. */
const REQUESTS = 60;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`cookies and streams of the console on ${name}`, { skip }, () => {
    let database: Database;
    let service: ConsoleService;
    before(async () => {
      database = await open();
      await grantScopes(database, new AuditTrail(), new Date(), CARRIER, {
        scopes: ['movement/entry'],
      });
      service = await ConsoleService.start(
        database,
        {
          porter: { name: 'Porter', organisation: CARRIER, roles: ['gate'] },
          guard: { name: 'Guard', organisation: CARRIER, roles: ['gate'] },
        },
        { LANDFALL_RATE_LIMIT: '8' },
      );
    });
    after(() => service?.close());

    const sendOften = async (
      path: string,
      cookie: (index: number) => string,
      requests = REQUESTS,
    ) => {
      const responses = await Promise.all(
        Array.from({ length: requests }, (_, index) =>
          fetch(service.baseUrl + path, {
            headers: { cookie: `landfall-console=${cookie(index)}` },
          }),
        ),
      );
      for (const response of responses) await response.body?.cancel();
      return responses;
    };

    test('an address that sends cookies of no session is limited, and says so as token endpoints do', async () => {
      for (const path of [SIGNALS, '/console/session']) {
        const responses = await sendOften(path, (index) => `garbage${index}`);
        const limited = responses.filter(({ status }) => status === 429);
        assert(limited.length > 0, path);
        for (const { headers } of limited) {
          assert.equal(headers.get('retry-after'), '1');
          assert.equal(headers.get('ratelimit-policy'), '"address";q=8;w=1');
        }
      }
    });

    test('a session that goes on is not limited with its address, and one that has ended is', async () => {
      const agent = await service.signIn('porter');
      const cookie = agent.cookie('landfall-console') ?? '';
      const current = await sendOften('/console/session', () => cookie);
      assert(current.every(({ status }) => status === 200));
      assert.equal((await agent.act('/console/session', 'DELETE')).status, 200);
      const ended = await sendOften('/console/session', () => cookie);
      assert(ended.some(({ status }) => status === 429));
    });

    test('a person who repeats requests is limited before they cost a transaction, and nobody else', async () => {
      const { requestsPerSecond } = databaseLimits;
      const agent = await service.signIn('porter');
      const other = await service.signIn('guard');
      const cookie = agent.cookie('landfall-console') ?? '';
      for (const path of ['/console/session', SIGNALS]) {
        const sendAndFindLimited = async () => {
          const responses = await sendOften(path, () => cookie, 6 * requestsPerSecond);
          return responses.filter(
            ({ headers }) =>
              headers.get('ratelimit-policy') === `"person";q=${requestsPerSecond};w=1`,
          );
        };
        // A machine that is busy otherwise may serve less than the limit in a second.
        let limited = await sendAndFindLimited();
        for (let again = 0; limited.length === 0 && again < 5; again++) {
          limited = await sendAndFindLimited();
        }
        assert(limited.length > 0, path);
        for (const { status, headers } of limited) {
          assert.equal(status, 429);
          assert.equal(headers.get('retry-after'), '1');
        }
        assert(await other.session());
      }
    });

    test('an open stream ends when its session ends, at this or another server', async () => {
      const second = await service.startServer(await findPort('localhost', 0));
      for (const server of [service.baseUrl, second]) {
        const agent = await service.signIn('porter');
        const stream = await agent.send(SIGNALS, { headers: { accept: 'text/event-stream' } });
        assert.equal(stream.status, 200);
        const text = stream.text();
        const session = await agent.session();
        const end = await fetch(`${server}/console/session`, {
          method: 'DELETE',
          headers: {
            cookie: `landfall-console=${agent.cookie('landfall-console')}`,
            origin: service.baseUrl,
            'landfall-csrf-token': session?.csrfToken ?? '',
          },
        });
        assert.equal(end.status, 200);
        assert.match(await text, /following/);
      }
    });
  });
}
