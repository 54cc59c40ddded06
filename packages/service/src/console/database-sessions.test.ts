// When sessions in the database end.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { followClock } from '../database/removal-clock.js';
import { drawnDatabases } from '../testing/databases.js';
import { type ConfirmRights, DatabaseSessions } from './database-sessions.js';
import { SessionCleanup } from './session-cleanup.js';
import { makeSecret, type SignedIn } from './sessions.js';
import { makeSignedId } from './signed-ids.js';

const person = (subject: string): SignedIn => ({
  kind: 'person',
  subject,
  name: subject,
  organisation: '0192:310000019',
  role: 'gate',
  scopes: ['movement/entry'],
  assignments: [
    { organisation: '0192:310000019', role: 'gate', scopes: ['movement/entry'] },
    { organisation: '0192:310000027', role: 'officer', scopes: ['authority/registry'] },
  ],
  providerSession: `session of ${subject}`,
  tokens: { idToken: 'a.b.c', refreshToken: 'refresh' },
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`sessions on ${name}`, { skip }, () => {
    let database: Database;
    let now: number;
    const key = Buffer.alloc(32, 1);
    /** Sessions of one server, whose streams read their session each time unless the limits say otherwise. */
    const make = (limits = {}, confirm?: ConfirmRights) =>
      new DatabaseSessions(database, {
        key,
        confirm,
        limits: { currentMs: 0, ...limits },
        now: () => now,
      });
    const deleteSessions = () =>
      database.transact((transaction) => transaction.run('delete from console_session'));
    before(async () => {
      database = await open();
    });
    after(() => database?.close());
    beforeEach(async () => {
      now = 1_000_000_000;
      await database.transact((transaction) =>
        transaction.run('delete from console_session; delete from console_logout'),
      );
    });
    const readColumn = async (table: string, column: string) => {
      const text = `select ${column} as value from ${table}`;
      const rows = await database.query<{ value: unknown }>({
        name: `test-${table}-${column}`.slice(0, 60),
        text,
        values: [],
      });
      return rows.map(({ value }) => value);
    };

    test('what was stored is what was started', async () => {
      const sessions = make();
      const session = await sessions.start(person('one'));
      assert.deepEqual(await sessions.use(session.id), session);
    });

    /** Limits are in real time. This stops it, because a busy machine takes longer than a second for some uses. */
    const stopRealTime = ({ mock }: TestContext) => {
      mock.timers.enable({ apis: ['Date'], now });
      return { beginNextSecond: () => mock.timers.tick(1000) };
    };

    test('uses over the limit of a person read nothing, with however many sessions, and others go on', async (context) => {
      const { beginNextSecond } = stopRealTime(context);
      let reads = 0;
      const counting: Database = {
        ...database,
        query: (statement) => {
          reads++;
          return database.query(statement);
        },
      };
      const limits = { requestsPerSecond: 3 };
      const sessions = new DatabaseSessions(counting, { key, limits });
      const own = [];
      for (let count = 0; count < limits.requestsPerSecond; count++) {
        own.push(await sessions.start(person('one')));
      }
      const [first] = own;
      assert(first);
      const other = await sessions.start(person('two'));
      beginNextSecond();
      // From here on the server knows whose sessions they are.
      for (const { id } of [...own, other]) assert(await sessions.use(id));
      beginNextSecond();
      reads = 0;
      for (const { id } of own) assert(await sessions.use(id));
      for (const { id } of own) {
        await assert.rejects(async () => sessions.use(id), {
          status: 429,
          headers: {
            'Retry-After': '1',
            RateLimit: '"person";r=0;t=1',
            'RateLimit-Policy': '"person";q=3;w=1',
          },
        });
      }
      assert.equal(reads, limits.requestsPerSecond);
      assert(await sessions.use(other.id));
      beginNextSecond();
      assert(await sessions.use(first.id));
    });

    test('a session that nobody has used here yet has the limit too', async (context) => {
      stopRealTime(context);
      const sessions = make();
      const { id } = await sessions.start(person('one'));
      const elsewhere = make({ requestsPerSecond: 1 });
      const uses = await Promise.allSettled(Array.from({ length: 5 }, () => elsewhere.use(id)));
      assert.deepEqual(
        uses.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected'],
      );
    });

    test('ids that the service did not make do not count', async () => {
      const sessions = make({ requestsPerSecond: 1 });
      for (let use = 0; use < 3; use++) {
        assert.equal(await sessions.use('garbage'), undefined);
        assert.equal(await sessions.use(`${makeSecret()}.${makeSecret()}`), undefined);
      }
    });

    test('a session ends when it was not used for too long, and each use delays that', async () => {
      const sessions = make({ idleMs: 100 });
      const session = await sessions.start(person('one'));
      now += 90;
      assert(await sessions.use(session.id));
      now += 90;
      assert(await sessions.isCurrent(session));
      now += 11;
      assert(!(await sessions.isCurrent(session)));
      assert.equal(await sessions.use(session.id), undefined);
    });

    test('asking whether a session is current does not delay its end', async () => {
      const sessions = make({ idleMs: 100 });
      const session = await sessions.start(person('one'));
      now += 90;
      assert(await sessions.isCurrent(session));
      now += 11;
      assert.equal(await sessions.use(session.id), undefined);
    });

    test('a session ends after its maximum age, however often it is used', async () => {
      const sessions = make({ idleMs: 100, maxAgeMs: 250 });
      const session = await sessions.start(person('one'));
      for (let used = 0; used < 3; used++) {
        now += 80;
        assert(await sessions.use(session.id));
      }
      now += 10;
      assert.equal(await sessions.use(session.id), undefined);
    });

    test('of too many sessions of a person the oldest ends', async () => {
      const sessions = make({ maxSessionsOfSubject: 2, maxAgeMs: 1000 });
      const started = [];
      for (let count = 0; count < 3; count++) {
        now += 1;
        started.push(await sessions.start(person('one')));
      }
      const current = await Promise.all(started.map((session) => sessions.isCurrent(session)));
      assert.deepEqual(current, [false, true, true]);
    });

    test('ended sessions and logouts are deleted in the background, and counted', async () => {
      const sessions = make({ maxAgeMs: 1000 });
      for (const subject of ['one', 'two']) await sessions.start(person(subject));
      now += 1000;
      const longer = make();
      const current = await longer.start(person('three'));
      const logout = { subject: 'nobody', providerSession: undefined };
      await database.query({
        name: 'test-ended-logout',
        text: "insert into console_logout (token_id, ends_at) values ('ended', $1)",
        values: [new Date(now)],
      });
      // It would end a sign-in that is under way, so it is kept for longer than the token is accepted.
      await longer.endByProvider({ ...logout, tokenId: 'current', endsAt: new Date(now) });
      const cleanup = new SessionCleanup(
        database,
        followClock(() => new Date(now)),
        () => assert.fail(),
      );
      await cleanup.run();
      assert.deepEqual(await readColumn('console_session', 'subject'), ['three']);
      assert.deepEqual(await readColumn('console_logout', 'token_id'), ['current']);
      const [measure] = cleanup.measures;
      assert(measure !== undefined && 'read' in measure);
      assert.equal(await measure.read(), 2);
      now += 60 * 60_000;
      await cleanup.run();
      assert.deepEqual(await readColumn('console_session', 'subject'), []);
      assert.equal(await longer.use(current.id), undefined);
    });

    test('the database has no token of the provider as text', async () => {
      const sessions = make();
      const { id } = await sessions.start({
        ...person('one'),
        tokens: { idToken: 'SECRET', refreshToken: 'SECRET' },
      });
      const [sealed] = await readColumn('console_session', 'sealed_tokens');
      assert(sealed instanceof Buffer && sealed.length > 0 && !sealed.includes('SECRET'));
      assert.equal((await sessions.use(id))?.signedIn.tokens?.refreshToken, 'SECRET');
    });

    test('who acts as something else has a session with another id, until the same time', async () => {
      const sessions = make();
      const before = await sessions.start(person('one'));
      const assignment = before.signedIn.assignments[1];
      assert(assignment);
      now += 1000;
      const after = await sessions.reassign(before, assignment, []);
      assert(after);
      assert.notEqual(after.id, before.id);
      assert.notEqual(after.csrfToken, before.csrfToken);
      assert.equal(after.endsAt, before.endsAt);
      assert.deepEqual(await sessions.use(after.id), after);
      assert.deepEqual(after.signedIn, { ...before.signedIn, ...assignment });
      assert.equal(await sessions.use(before.id), undefined);
      assert.equal(await sessions.reassign(before, assignment, []), undefined);
    });

    test('signing out beside a choice of a role ends the session in either order, and no other one', async () => {
      const sessions = make();
      const other = await sessions.start(person('one'));
      for (const choosesFirst of [true, false]) {
        now += 1000;
        const session = await sessions.start(person('one'));
        const assignment = session.signedIn.assignments[1];
        assert(assignment);
        const choose = () => sessions.reassign(session, assignment, []);
        const chosen = choosesFirst ? await choose() : undefined;
        const [, raced] = await Promise.all([
          sessions.end(session.id),
          choosesFirst ? undefined : choose(),
        ]);
        for (const left of [session, chosen, raced]) {
          if (left !== undefined) assert.equal(await sessions.use(left.id), undefined);
        }
      }
      assert.deepEqual(await sessions.use(other.id), other);
    });

    test('the id that a session had before choices of a role ends it, and acts for nobody', async () => {
      const sessions = make();
      const other = await sessions.start(person('one'));
      const first = await sessions.start(person('one'));
      let last = first;
      for (const index of [1, 0, 1]) {
        const assignment = first.signedIn.assignments[index];
        assert(assignment);
        const next = await sessions.reassign(last, assignment, []);
        assert(next);
        last = next;
      }
      assert.equal(await sessions.use(first.id), undefined);
      const { id, csrfToken, signedIn } = (await sessions.find(first.id)) ?? {};
      assert.deepEqual({ id, csrfToken }, { id: first.id, csrfToken: first.csrfToken });
      assert.deepEqual(signedIn, last.signedIn);
      await sessions.end(first.id);
      assert.equal(await sessions.use(last.id), undefined);
      assert.equal(await sessions.find(first.id), undefined);
      assert.deepEqual(await sessions.use(other.id), other);
    });

    test('who chooses a role while their rights are confirmed has the new tokens, and only what is confirmed', async () => {
      const [gate, officer] = person('one').assignments;
      assert(gate && officer);
      const chooseMeanwhile = async (confirmed: Partial<SignedIn> | undefined) => {
        let finish: () => void = () => undefined;
        let begin: () => void = () => undefined;
        const begun = new Promise<void>((resolve) => {
          begin = resolve;
        });
        const finished = new Promise<void>((resolve) => {
          finish = resolve;
        });
        const sessions = make({}, async (signedIn) => {
          begin();
          await finished;
          if (confirmed === undefined) throw new Error('the provider does not respond');
          const tokens = { idToken: 'new', refreshToken: 'new' };
          return { ...signedIn, ...confirmed, tokens };
        });
        const session = await sessions.start(person('one'));
        now += 5 * 60_000;
        const using = sessions.use(session.id);
        await begun;
        // Another server.
        const choosing = make({}, async () => assert.fail()).reassign(session, officer, []);
        const first = await Promise.race([choosing.then(() => 'chosen'), setTimeout(300, 'waits')]);
        finish();
        await using;
        return { first, chosen: await choosing, sessions };
      };
      const { first, chosen, sessions } = await chooseMeanwhile({});
      assert(chosen);
      const used = await sessions.use(chosen.id);
      assert.deepEqual(
        [used?.signedIn.role, used?.signedIn.tokens?.refreshToken],
        ['officer', 'new'],
      );
      assert.deepEqual(used, chosen);
      assert.equal(first, 'waits');

      const taken = await chooseMeanwhile({ assignments: [gate] });
      assert.equal(taken.chosen, undefined);

      const failed = await chooseMeanwhile(undefined);
      assert.equal(failed.chosen?.signedIn.tokens?.refreshToken, 'refresh');
    });

    test('rights are confirmed every 5 minutes, once for all requests at the same time', async () => {
      let confirmations = 0;
      const sessions = make({}, async (signedIn) => {
        confirmations++;
        assert.equal(signedIn.tokens?.refreshToken, `refresh${confirmations}`);
        const refreshToken = `refresh${confirmations + 1}`;
        return { ...signedIn, scopes: [], tokens: { idToken: 'new', refreshToken } };
      });
      const tokens = { idToken: 'a.b.c', refreshToken: 'refresh1' };
      const { id } = await sessions.start({ ...person('one'), tokens });
      now += 5 * 60_000 - 1;
      assert.deepEqual((await sessions.use(id))?.signedIn.scopes, ['movement/entry']);
      now += 1;
      const used = await Promise.all([sessions.use(id), sessions.use(id)]);
      // One waits for the provider. The other one does too, or is served meanwhile with the rights of before.
      assert(used.some((one) => one?.signedIn.scopes.length === 0));
      assert.equal(confirmations, 1);
      assert.deepEqual((await sessions.use(id))?.signedIn.scopes, []);
      now += 5 * 60_000;
      // Another server, which confirms it with the token that the first one has stored.
      await make({}, async (signedIn) => {
        assert.equal(signedIn.tokens?.refreshToken, 'refresh2');
        return signedIn;
      }).use(id);
    });

    test('a session whose rights the provider takes away ends, also for an open stream', async () => {
      const sessions = make({}, async () => undefined);
      const session = await sessions.start(person('one'));
      const streaming = await sessions.start(person('one'));
      now += 5 * 60_000;
      assert.equal(await sessions.use(session.id), undefined);
      await sessions.isCurrent(streaming);
      while (await sessions.isCurrent(streaming)) await setTimeout(5);
      assert.deepEqual(await readColumn('console_session', 'subject'), []);
    });

    test('while the provider cannot confirm, a session works for 15 minutes, and then when it can again', async () => {
      let attempts = 0;
      let isDown = true;
      const sessions = make({}, async (signedIn) => {
        attempts++;
        if (isDown) throw new Error('down');
        return signedIn;
      });
      const session = await sessions.start(person('one'));
      now += 5 * 60_000;
      assert(await sessions.use(session.id));
      assert(await sessions.use(session.id));
      assert.equal(attempts, 1);
      now += 10 * 60_000;
      await assert.rejects(async () => sessions.use(session.id), { status: 503 });
      assert.equal(await sessions.isCurrent(session), false);
      assert.equal(attempts, 2);
      isDown = false;
      await assert.rejects(async () => sessions.use(session.id), { status: 503 });
      now += 30_000;
      assert(await sessions.use(session.id));
      assert(await sessions.isCurrent(session));
      assert.equal(attempts, 3);
    });

    test('a session that cannot be confirmed ends after an hour', async () => {
      const sessions = make({ idleMs: 10 * 60 * 60_000 }, async () => assert.fail());
      const tokens = { idToken: 'a.b.c', refreshToken: undefined };
      const session = await sessions.start({ ...person('one'), tokens });
      now += 60 * 60_000 - 1;
      assert(await sessions.use(session.id));
      now += 1;
      assert.equal(await sessions.use(session.id), undefined);

      const unable = make({ idleMs: 10 * 60 * 60_000 }, async (signedIn) => ({
        ...signedIn,
        tokens,
      }));
      const { id } = await unable.start(person('one'));
      now += 5 * 60_000;
      assert(await unable.use(id));
      now += 60 * 60_000 - 1;
      assert(await unable.use(id));
      now += 1;
      assert.equal(await unable.use(id), undefined);
    });

    test('the provider ends one of its sessions, or all of a person, and each report has an effect once', async () => {
      const sessions = make();
      const one = await sessions.start(person('one'));
      const elsewhere = await sessions.start({ ...person('one'), providerSession: 'another' });
      const two = await sessions.start(person('two'));
      const report = (tokenId: string, subject?: string, providerSession?: string) =>
        sessions.endByProvider({ tokenId, endsAt: new Date(now), subject, providerSession });
      assert.equal(await report('1', 'two', 'session of one'), 0);
      assert.equal(await report('2', undefined, 'session of one'), 1);
      assert.equal(await sessions.isCurrent(one), false);
      assert(await sessions.isCurrent(elsewhere));
      assert.equal(await report('3', 'one'), 1);
      assert.equal(await sessions.isCurrent(elsewhere), false);
      assert.equal(await report('4'), 0);
      assert(await sessions.isCurrent(two));
      const again = await sessions.start(person('one'));
      assert.equal(await report('3', 'one'), undefined);
      assert(await sessions.isCurrent(again));
    });

    test('open streams of a session do not read it for each page, and end when it ends on this server', async () => {
      const sessions = make({ currentMs: 3_600_000 });
      const session = await sessions.start(person('one'));
      const other = await sessions.start(person('two'));
      assert(await sessions.isCurrent(session));
      // Another server ends it: nothing is read here before the time is over.
      await deleteSessions();
      for (let pages = 0; pages < 100; pages++) assert(await sessions.isCurrent(session));
      assert.equal(await sessions.isCurrent(other), false);
      await sessions.end(session.id);
      assert.equal(await sessions.isCurrent(session), false);

      const assigned = await sessions.start(person('one'));
      assert(await sessions.isCurrent(assigned));
      const { assignments } = assigned.signedIn;
      assert(assignments[1]);
      assert(await sessions.reassign(assigned, assignments[1], []));
      assert.equal(await sessions.isCurrent(assigned), false);

      const reported = await sessions.start(person('one'));
      assert(await sessions.isCurrent(reported));
      const logout = { tokenId: '1', endsAt: new Date(now), subject: 'one' };
      await sessions.endByProvider({ ...logout, providerSession: undefined });
      assert.equal(await sessions.isCurrent(reported), false);
    });

    test('an open stream finds within the limit that its session has ended on another server', async () => {
      const sessions = make({ currentMs: 50 });
      const session = await sessions.start(person('one'));
      assert(await sessions.isCurrent(session));
      await deleteSessions();
      await setTimeout(60);
      assert.equal(await sessions.isCurrent(session), false);
    });

    test('an id that the service did not make is refused without the database', async () => {
      const closed = await open();
      const sessions = new DatabaseSessions(closed, { key });
      const { id } = await sessions.start(person('one'));
      await sessions.end(id);
      assert.equal(await sessions.use(id), undefined);
      await closed.close();
      const secret = makeSecret();
      const others = [
        'x',
        secret,
        `${secret}.${secret}`,
        `${secret}.${id.slice(44)}`,
        `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`,
        `${id} `,
        `${id}\u0000`,
        '\ud800'.repeat(87),
        makeSignedId(Buffer.alloc(32, 2)),
      ];
      for (const other of others) {
        assert.equal(await sessions.use(other), undefined, other);
        await sessions.end(other);
      }
      // One that has ended is not read again either.
      assert.equal(await sessions.use(id), undefined);
      await assert.rejects(async () => sessions.use(makeSignedId(key)));
    });

    test('an ended session stays ended', async () => {
      const sessions = make();
      const session = await sessions.start(person('one'));
      await sessions.end(session.id);
      assert.equal(await sessions.use(session.id), undefined);
      assert.equal(await sessions.use(''), undefined);
    });
  });
}
