// The provider reports a logout while somebody signs in: nobody has a session after it, whichever comes first, on two
// servers.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { findPort } from '../../../../playground/dist/find-port.js';
import { grantScopes } from '../../access/grant-scopes.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Database, Statement } from '../../database/database.js';
import { ConsoleService, SUBJECT_KEY } from '../../testing/console-service.js';
import { drawnDatabases } from '../../testing/databases.js';
import type { TestProvider } from '../../testing/openid-provider.js';
import type { PersonAgent } from '../../testing/person-agent.js';
import { DatabaseSessions } from '../database-sessions.js';
import type { SignedIn } from '../sessions.js';
import { makePseudonym } from './identify-person.js';

const CARRIER = '0192:310000019';
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const LOCK = 77;

/** What a logout token names. */
type Named = { sub?: string; sid?: string };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`a logout during a sign-in on ${name}`, { skip }, () => {
    let database: Database;
    let service: ConsoleService;
    let provider: TestProvider;
    /** The server that receives logouts; browsers are at the other one. */
    let second: string;
    /** Each test has an account of its own. */
    let account = '';

    before(async () => {
      database = await open();
      await grantScopes(database, new AuditTrail(), new Date(), CARRIER, {
        scopes: ['movement/entry'],
      });
      const claims = { name: 'Porter', organisation: CARRIER, roles: ['gate'] };
      const accounts = new Proxy({}, { get: () => claims });
      service = await ConsoleService.start(database, accounts);
      ({ provider } = service);
      second = await service.startServer(await findPort('localhost', 0));
    });
    after(() => service?.close());

    const post = async (token: string) => {
      const { status } = await fetch(`${second}/console/sign-in/back-channel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
      return status;
    };
    const sign = (named: Named) =>
      provider.signLogoutToken({ ...named, jti: randomUUID(), events: EVENTS });
    const logOut = async (named: Named) => assert.equal(await post(await sign(named)), 200);

    /** A person who has signed in, with the name of their session at the provider. */
    const signIn = async () => {
      account = `porter-${randomUUID()}`;
      const agent = await service.signIn(account);
      const subject = makePseudonym({ iss: provider.issuer, sub: account }, SUBJECT_KEY);
      const [row] = await database.query<{ sid: string }>({
        name: 'test-provider-session',
        text: 'select provider_session as sid from console_session where subject = $1',
        values: [subject],
      });
      assert(row);
      return { agent, sid: row.sid };
    };

    /** Begins another sign-in in the same session at the provider; returns the address that the browser opens next. */
    const comeBack = async (agent: PersonAgent): Promise<string> => {
      let address = `${service.baseUrl}/console/sign-in`;
      while (!address.includes('/callback?')) {
        const response = await agent.send(address);
        address = new URL(response.headers.get('location') ?? '', address).href;
      }
      return address;
    };

    /** What logouts name that concern a session, and that do not. */
    const concerning = (sid: string): Named[] => [{ sid }, { sub: account }, { sub: account, sid }];
    const others = (sid: string): Named[] => [
      { sid: 'another' },
      { sub: 'another' },
      { sub: account, sid: 'another' },
      { sub: 'another', sid },
    ];

    const times = {
      'before its code is redeemed': async (agent: PersonAgent, callback: string, named: Named) => {
        await logOut(named);
        return agent.open(callback);
      },
      'while its code is redeemed': async (agent: PersonAgent, callback: string, named: Named) => {
        provider.beforeToken = () => logOut(named);
        try {
          return await agent.open(callback);
        } finally {
          provider.beforeToken = undefined;
        }
      },
    };
    for (const [time, act] of Object.entries(times)) {
      test(`${time} ends it if it concerns the session, by sid, by sub or by both`, async () => {
        for (const index of [0, 1, 2]) {
          const { agent, sid } = await signIn();
          const named = concerning(sid)[index];
          assert(named);
          const { url } = await act(agent, await comeBack(agent), named);
          const what = JSON.stringify(named);
          assert.equal(url.search, '?sign-in=signed-out', what);
          assert.equal(await agent.session(), undefined, what);
          // The session at the provider has not ended in truth: signing in again works.
          await agent.open(await comeBack(agent));
          assert.equal((await agent.session())?.name, 'Porter', what);
        }
      });

      test(`${time} does not end it if it concerns another session or person`, async () => {
        for (const index of [0, 1, 2, 3]) {
          const { agent, sid } = await signIn();
          const named = others(sid)[index];
          assert(named);
          const { url } = await act(agent, await comeBack(agent), named);
          assert.equal(url.search, '', JSON.stringify(named));
          assert(await agent.session(), JSON.stringify(named));
        }
      });
    }

    test('a program is told that the provider signed the account out', async () => {
      const { agent, sid } = await signIn();
      const callback = await comeBack(agent);
      await logOut({ sid });
      const response = await agent.send(callback, { headers: { accept: 'application/json' } });
      assert.equal(response.status, 403);
      assert.match(await response.text(), /signed this account out/);
    });

    test('a logout ends the session that a sign-in has started, and is accepted once', async () => {
      const { agent, sid } = await signIn();
      const token = await sign({ sid });
      await agent.open(await comeBack(agent));
      assert(await agent.session());
      assert.equal(await post(token), 200);
      assert.equal(await agent.session(), undefined);
      // Neither the logout nor its repetition concerns a sign-in that begins after it.
      const callback = await comeBack(agent);
      assert.equal(await post(token), 400);
      await agent.open(callback);
      assert(await agent.session());
    });

    test('who signs out at the provider signs in again at once', async () => {
      const { agent } = await signIn();
      await agent.signOutAtProvider(provider.issuer);
      assert.equal(await agent.session(), undefined);
      await agent.signIn(account);
      assert(await agent.session());
    });

    const signedIn = (subject: string): SignedIn => ({
      ...{ kind: 'person', subject, name: subject, organisation: CARRIER, scopes: [] },
      assignments: [],
      providerSession: `session of ${subject}`,
    });
    const make = () => new DatabaseSessions(database, { key: Buffer.alloc(32, 1) });
    const byEach = (subject: string) => [
      { subject, providerSession: undefined },
      { subject: undefined, providerSession: `session of ${subject}` },
      { subject, providerSession: `session of ${subject}` },
    ];
    const endsAt = new Date(Date.now() + 60_000);
    /** How many sessions wait for a lock. */
    const waitFor = async (isSo: () => Promise<boolean>) => {
      while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const countWaiting = async () => {
      const [row] = await database.query<{ count: number }>({
        name: 'test-count-waiting',
        text: `
          select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        values: [],
      });
      return row?.count ?? 0;
    };

    /** Runs two steps, the second of which begins when the first one has done its work and waits to commit. */
    const overlap = async <First, Second>(
      held: Statement,
      first: () => Promise<First>,
      second: () => Promise<Second>,
    ) => {
      const results = await database.transact(async (transaction) => {
        await transaction.query(held);
        const running = Promise.allSettled([first()]);
        await waitFor(async () => (await countWaiting()) === 1);
        let isDone = false;
        const following = Promise.allSettled([second()]).finally(() => {
          isDone = true;
        });
        await waitFor(async () => isDone || (await countWaiting()) === 2);
        return { running, following };
      });
      const [[one], [other]] = await Promise.all([results.running, results.following]);
      return [one, other] as const;
    };

    // The embedded database has one session: its transactions never overlap.
    if (name === 'PostgreSQL') {
      test('a logout that arrives while the session is inserted waits, and ends it', async () => {
        const wait = {
          name: '',
          text: `select pg_advisory_xact_lock(${LOCK}, 1)`,
          values: [],
        };
        for (const named of byEach('inserted')) {
          const begunAt = await make().signInTime();
          const tokenId = randomUUID();
          const [started, ended] = await overlap(
            wait,
            () => make().start(signedIn('inserted'), [wait], begunAt),
            () => make().endByProvider({ ...named, tokenId, endsAt }),
          );
          assert(started.status === 'fulfilled');
          assert.deepEqual(ended, { status: 'fulfilled', value: 1 });
          assert.equal(await make().use(started.value.id), undefined);
        }
      });

      test('a sign-in that would insert its session while a logout ends others waits, and is refused', async () => {
        for (const named of byEach('ending')) {
          const begunAt = await make().signInTime();
          const earlier = await make().start(signedIn('ending'), [], begunAt);
          const tokenId = randomUUID();
          const [ended, started] = await overlap(
            {
              name: '',
              text: 'select from console_session where subject = $1 for update',
              values: ['ending'],
            },
            () => make().endByProvider({ ...named, tokenId, endsAt }),
            () => make().start(signedIn('ending'), [], begunAt),
          );
          assert.deepEqual(ended, { status: 'fulfilled', value: 1 });
          assert(started.status === 'rejected');
          assert.equal(started.reason.refusal, 'signed-out');
          assert.equal(await make().use(earlier.id), undefined);
        }
      });
    }

    test('a sign-in that takes longer than logouts are kept is refused', async () => {
      const long = new Date((await make().signInTime()).getTime() - 15 * 60_000);
      await assert.rejects(make().start(signedIn('late'), [], long), { refusal: 'expired' });
      await make().start(signedIn('late'), [], new Date(long.getTime() + 60_000));
    });

    test('a logout is kept for longer than a sign-in takes, and its token no shorter than before', async () => {
      const now = (await make().signInTime()).getTime();
      const report = { subject: 'kept', providerSession: undefined };
      const far = new Date(now + 3_600_000);
      await make().endByProvider({ ...report, tokenId: 'soon', endsAt: new Date(now) });
      await make().endByProvider({ ...report, tokenId: 'far', endsAt: far });
      const rows = await database.query<{ endsAt: Date }>({
        name: 'test-kept-logouts',
        text: `select ends_at as "endsAt" from console_logout where token_id in ('soon', 'far') order by ends_at`,
        values: [],
      });
      const [soon, later] = rows.map(({ endsAt: end }) => end.getTime());
      assert(soon !== undefined && soon >= now + 11 * 60_000);
      assert.equal(later, far.getTime());
    });

    test('what servers of the previous release record has no effect on a sign-in', async () => {
      const begunAt = await make().signInTime();
      await database.query({
        name: 'test-logout-of-previous-release',
        text: 'insert into console_logout (token_id, ends_at) values ($1, $2)',
        values: [randomUUID(), endsAt],
      });
      await make().start(signedIn('previous'), [], begunAt);
    });
  });
}
