// People sign in to the console at a real OpenID provider, on both databases.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { findPort } from '../../../../playground/dist/find-port.js';
import { grantScopes } from '../../access/grant-scopes.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Database } from '../../database/database.js';
import { ConsoleService, SUBJECT_KEY } from '../../testing/console-service.js';
import { drawnDatabases } from '../../testing/databases.js';
import type { Accounts, TestProvider } from '../../testing/openid-provider.js';
import { PersonAgent } from '../../testing/person-agent.js';
import { registerDeclaration } from '../../testing/register-declaration.js';
import { sampleBody, samplePath } from '../../testing/request-samples.js';
import { makePseudonym } from './identify-person.js';
import type { OpenIdSettings } from './settings.js';

const [CARRIER, EXPRESS, CUSTOMS] = ['0192:310000019', '0192:310000027', '0192:974761076'];
const PRESENT = '/console/api/api/movement/presentation/v1/house-consignment';
const SIGNALS = '/console/api/api/movement/routing/v1/house-consignment';
const STATUSES = '/console/api/api/movement/presentation/v1/validation-status';

const JSON_ONLY = { accept: 'application/json' };

const accounts: Accounts = {
  porter: { name: 'Porter', organisation: CARRIER, roles: ['gate'] },
  courier: { name: 'Courier', organisation: EXPRESS, roles: ['gate'] },
  officer: { name: 'Officer', organisation: CUSTOMS, roles: ['officer', 'unknown', 'gate'] },
  unseen: { name: 'Un\u0000seen', organisation: CARRIER, roles: ['gate'] },
  nobody: { name: 'Nobody', organisation: CARRIER, roles: ['visitor'] },
  unattached: { name: 'Unattached', roles: ['gate'] },
  manager: {
    name: 'Manager',
    roles: { [CUSTOMS]: ['officer', 'reader'], [CARRIER]: ['gate'] },
  },
  ambiguous: { name: 'Ambiguous', organisation: [CUSTOMS, CARRIER], roles: ['officer', 'gate'] },
  stranger: { name: 'Stranger', organisation: '0192:999999999', roles: ['gate'] },
};

const presentation = (documentNumber: string) => ({
  requestId: randomUUID(),
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber, type: 'N740' },
});

const document = <Type extends string>(documentNumber: string, type: Type) => ({
  documentNumber,
  type,
});

/** Goods that the declaration of another organisation has. */
const foreignGoods = {
  mrn: '26NO00000000000099',
  transportDocumentHouseLevel: document('FOREIGN-1', 'N740'),
  transportDocumentMasterLevel: document('FOREIGN-2', 'N741'),
  receptacleId: 'GBLALADEFRAAACN60123001100251',
  containerId: 'JARU0000010',
};
type Goods = typeof foreignGoods;

/** Goods that do not exist. */
const unknownGoods: Goods = {
  mrn: '26NO00000000000098',
  transportDocumentHouseLevel: document('UNKNOWN-1', 'N740'),
  transportDocumentMasterLevel: document('UNKNOWN-2', 'N741'),
  receptacleId: 'SEMMAASEOSLBAUN12345600010001',
  containerId: 'CSQU3054383',
};

/** A body that the operation accepts, about these goods; `undefined` if it has none. */
function bodyNaming(operation: Operation, goods: Goods): unknown {
  if (operation.body === undefined) return undefined;
  const schema = operation.body['application/json'];
  if (schema === undefined) return {};
  const values: Record<string, unknown> = { ...goods, requestId: randomUUID() };
  const replaced = (name: string, value: unknown) =>
    name in values && !Array.isArray(value) ? values[name] : value;
  return JSON.parse(JSON.stringify(sampleBody(operation, schema)), replaced);
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`signing in on ${name}`, { skip }, () => {
    let database: Database;
    let service: ConsoleService;
    let provider: TestProvider;
    let baseUrl: string;
    const startServer = (port: number, openIdConnect?: OpenIdSettings) =>
      service.startServer(port, openIdConnect);
    const signedIn = (account: string) => service.signIn(account);

    before(async () => {
      database = await open();
      const audit = new AuditTrail();
      for (const organisation of [CARRIER, EXPRESS]) {
        await grantScopes(database, audit, new Date(), organisation, {
          scopes: ['movement/entry'],
        });
      }
      await grantScopes(database, audit, new Date(), CUSTOMS, {
        scopes: ['authority/registry', 'authority/routing', 'declaration.feed'],
      });
      // Only who is expected may present: for everybody else, goods do not exist.
      service = await ConsoleService.start(database, accounts, { LANDFALL_PRESENTERS: 'expected' });
      ({ provider, baseUrl } = service);
    });
    after(() => service?.close());

    test('a person signs in, arrives at the page they wanted, and has the scopes of their roles', async () => {
      const agent = new PersonAgent(baseUrl);
      assert.equal(await agent.session(), undefined);
      const page = await agent.signIn('officer', '/console/gate?id=HC001');
      assert.equal(page.pathname + page.search, '/console/gate?id=HC001');
      const session = await agent.session();
      assert.equal(session?.name, 'Officer');
      assert.equal(session.organisation, CUSTOMS);
      // The role `gate` gives movement/entry, which is not granted to the organisation.
      assert.deepEqual(session.scopes, ['authority/registry', 'authority/routing']);
      assert.equal(agent.cookie('landfall-sign-in'), undefined);
    });

    test('a person begins with the narrowest role, chooses another one, and that is in the audit trail', async () => {
      const agent = await signedIn('manager');
      const before = await agent.session();
      assert.deepEqual(before?.scopes, ['declaration.feed']);
      // What is granted to neither organisation is no choice.
      const assignments = [
        { organisation: CUSTOMS, role: 'reader' },
        { organisation: CARRIER, role: 'gate' },
        { organisation: CUSTOMS, role: 'officer' },
      ];
      assert.deepEqual(before.assignments, assignments);
      assert.equal((await agent.act(SIGNALS)).status, 403);

      const cookie = `landfall-console=${agent.cookie('landfall-console')}`;
      const choice = { organisation: CARRIER, role: 'gate' };
      assert.equal((await agent.act('/console/session', 'PUT', choice)).status, 204);
      const after = await agent.session();
      assert.deepEqual(after?.scopes, ['movement/entry']);
      assert.deepEqual([after.organisation, after.role], [CARRIER, 'gate']);
      assert.deepEqual(after.assignments, assignments);
      assert.equal((await agent.act(SIGNALS)).status, 200);
      // The session before has ended, and a page of it does not show what this one sees.
      const old = await fetch(`${baseUrl}/console/session`, { headers: { cookie } });
      assert.equal(old.status, 204);
      const headers = { 'landfall-csrf-token': before.csrfToken };
      assert.equal((await agent.send(SIGNALS, { headers })).status, 401);

      for (const [wrong, status] of [
        [{ organisation: CUSTOMS, role: 'gate' }, 403],
        [{ organisation: EXPRESS, role: 'gate' }, 403],
        [{ organisation: CUSTOMS, role: 'unknown' }, 403],
        [{ role: 'gate' }, 400],
        [[], 400],
      ] as const) {
        assert.equal((await agent.act('/console/session', 'PUT', wrong)).status, status);
      }
      assert.equal((await agent.act('/console/session', 'PUT')).status, 400);
      const forged = await agent.send('/console/session', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(choice),
      });
      assert.equal(forged.status, 403);
      const nobody = new PersonAgent(baseUrl);
      assert.equal((await nobody.act('/console/session', 'PUT', choice)).status, 401);

      const client = makePseudonym({ iss: provider.issuer, sub: 'manager' }, SUBJECT_KEY);
      const rows = await database.query<{ entry: string }>({
        name: 'test-audit-of-person',
        text: 'select entry from audit_record where position($1::text in entry) > 0',
        values: [client],
      });
      // The cast is true because entries are written so.
      const entries = rows.map(({ entry }) => JSON.parse(entry) as Record<string, unknown>);
      assert.deepEqual(
        entries
          .map(({ action, actor, details }) => ({ action, actor, details }))
          .toSorted((one, other) => String(other.action).localeCompare(String(one.action))),
        [
          {
            action: 'session.start',
            actor: { organisation: CUSTOMS, client },
            details: { role: 'reader' },
          },
          {
            action: 'session.choose-role',
            actor: { organisation: CARRIER, client },
            details: { role: 'gate' },
          },
        ],
      );
    });

    /** Lets the rights of all sessions be confirmed at their next request, as if time had passed. */
    const letConfirm = (minutesAgo = 5) =>
      database.query({
        name: 'test-let-confirm',
        text: `
          update console_session set confirm_after = now() - interval '1 second',
            confirmed_at = now() - $1::integer * interval '1 minute'
          where confirm_after is not null`,
        values: [minutesAgo],
      });

    test('a role, an organisation or an account that is taken away is lost within minutes', async () => {
      const before = { ...accounts.porter };
      for (const change of [
        { ...before, roles: [] },
        { ...before, roles: ['reader'] },
        { ...before, organisation: EXPRESS },
        { ...before, organisation: [CARRIER, CUSTOMS], roles: ['gate', 'officer'] },
        undefined,
      ]) {
        const agent = await signedIn('porter');
        await letConfirm();
        assert.equal((await agent.act(SIGNALS)).status, 200);
        if (change === undefined) delete accounts.porter;
        else accounts.porter = change;
        assert.equal((await agent.act(SIGNALS)).status, 200);
        await letConfirm();
        assert.equal((await agent.send(SIGNALS)).status, 401);
        assert.equal(await agent.session(), undefined);
        accounts.porter = before;
      }
    });

    test('an account for which the provider fails does not delay the confirmation of others', async () => {
      const before = { ...accounts };
      const bad = await signedIn('porter');
      const good = await signedIn('courier');
      await letConfirm();
      // The provider responds with an error of its own whenever it reads the claims of this account.
      accounts.porter = {
        get name() {
          throw new Error('the account cannot be read');
        },
      };
      accounts.courier = { ...before.courier, roles: [] };
      provider.requests.length = 0;
      try {
        assert.equal((await bad.send(SIGNALS, { headers: JSON_ONLY })).status, 200);
        assert.equal((await good.send(SIGNALS, { headers: JSON_ONLY })).status, 401);
        assert.equal((await bad.send(SIGNALS, { headers: JSON_ONLY })).status, 200);
      } finally {
        Object.assign(accounts, before);
      }
      const isToken = (path: string) => path.startsWith('/token');
      assert.equal(provider.requests.filter(isToken).length, 2);
    });

    test('a role that is added can be chosen without signing in again', async () => {
      const before = { ...accounts.porter };
      const agent = await signedIn('porter');
      accounts.porter = { ...before, roles: { [CARRIER]: ['gate'], [CUSTOMS]: ['officer'] } };
      await letConfirm();
      const session = await agent.session();
      accounts.porter = before;
      assert.equal(session?.role, 'gate');
      assert.deepEqual(session.assignments, [
        { organisation: CARRIER, role: 'gate' },
        { organisation: CUSTOMS, role: 'officer' },
      ]);
    });

    test('who signs out at the provider is signed out of the console, at every server', async () => {
      const agent = await signedIn('porter');
      const elsewhere = await signedIn('porter');
      const second = await startServer(await findPort('localhost', 0));
      const cookie = `landfall-console=${agent.cookie('landfall-console')}`;
      await agent.signOutAtProvider(provider.issuer);
      assert.equal(await agent.session(), undefined);
      const atSecond = await fetch(`${second}/console/session`, { headers: { cookie } });
      assert.equal(atSecond.status, 204);
      // A session that began in another session at the provider is none of it.
      assert.equal((await elsewhere.session())?.name, 'Porter');
    });

    test('a logout token has an effect once, and one that breaks a rule has none', async () => {
      const agent = await signedIn('porter');
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const post = async (body: string | URLSearchParams | undefined) =>
        fetch(`${baseUrl}/console/sign-in/back-channel-logout`, {
          method: 'POST',
          ...(body !== undefined && { body }),
        });
      const postToken = (token: string) => post(new URLSearchParams({ logout_token: token }));
      const valid = { sub: 'porter', jti: randomUUID(), events };
      for (const body of [
        undefined,
        'text',
        new URLSearchParams({ other: 'x' }),
        new URLSearchParams([
          ['logout_token', await provider.signLogoutToken(valid)],
          ['logout_token', 'x'],
        ]),
        new URLSearchParams({
          logout_token: await provider.signLogoutToken({ ...valid, events: {} }),
        }),
        new URLSearchParams({ logout_token: `${await provider.signLogoutToken(valid)}x` }),
      ]) {
        const { status } = await post(body);
        assert(status === 400 || (status === 415 && body === 'text'), `${body}: ${status}`);
      }
      assert(await agent.session());
      const token = await provider.signLogoutToken(valid);
      const response = await postToken(token);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(await agent.session(), undefined);
      const again = await signedIn('porter');
      const replayed = await postToken(token);
      assert.equal(replayed.status, 400);
      assert.deepEqual(await replayed.json(), {
        error: 'invalid_request',
        error_description: '"jti" was used before',
      });
      assert(await again.session());
    });

    test('characters that cannot be stored, in a name or in a logout token, are no failure', async () => {
      const agent = await signedIn('unseen');
      assert.equal((await agent.session())?.name, 'Unseen');
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      for (const text of ['\u0000', '\ud800', 'x'.repeat(3000)]) {
        const jti = `${text}${randomUUID()}`;
        const token = await provider.signLogoutToken({ jti, sid: text, events });
        for (const expected of [200, 400]) {
          const { status } = await fetch(`${baseUrl}/console/sign-in/back-channel-logout`, {
            method: 'POST',
            body: new URLSearchParams({ logout_token: token }),
          });
          assert.equal(status, expected);
        }
      }
    });

    test('the request to the provider has PKCE, a state and a nonce, different each time', async () => {
      const agent = new PersonAgent(baseUrl);
      const begin = async () => {
        const response = await agent.send('/console/sign-in');
        assert.match(response.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Lax/);
        return new URL(response.headers.get('location') ?? '').searchParams;
      };
      const [first, second] = [await begin(), await begin()];
      assert.equal(first.get('code_challenge_method'), 'S256');
      assert.equal(first.get('redirect_uri'), `${baseUrl}/console/sign-in/callback`);
      for (const name of ['state', 'nonce', 'code_challenge']) {
        assert((first.get(name) ?? '').length >= 43, name);
        assert.notEqual(first.get(name), second.get(name));
      }
    });

    test('addresses that are no pages of the console are not returned to', async () => {
      for (const address of [
        'https://other.example/console/gate',
        '//other.example/console/gate',
        '/\\other.example/console/gate',
        '/console/../docs/',
        '/console/api/api/authority/v1/versions',
        '/console/sign-in',
        `/console/${'x'.repeat(2000)}`,
      ]) {
        const agent = new PersonAgent(baseUrl);
        assert.equal((await agent.signIn('porter', address)).href, `${baseUrl}/console/`, address);
      }
    });

    test('a response of the provider signs in only the browser that began, and once', async () => {
      const agent = new PersonAgent(baseUrl);
      const callback = await agent.goToProvider('porter');
      const other = new PersonAgent(baseUrl);
      const stolen = await other.open(callback.href);
      assert.equal(stolen.url.search, '?sign-in=expired');
      assert.equal(await other.session(), undefined);
      // A sign-in that the other browser has begun does not help: the state is another one.
      await other.send('/console/sign-in');
      assert.equal((await other.open(callback.href)).url.search, '?sign-in=expired');

      assert.equal((await agent.open(callback.href)).url.search, '');
      assert.equal((await agent.session())?.name, 'Porter');
      assert.equal((await agent.open(callback.href)).url.search, '?sign-in=expired');
    });

    test('a code of a sign-in with another nonce or verifier signs nobody in, and is no failure', async () => {
      const countFailures = async () => {
        const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
        return /task="console-sign-in"\} (\d+)/.exec(metrics)?.[1];
      };
      const before = await countFailures();
      for (const part of ['nonce', 'code_challenge']) {
        const agent = new PersonAgent(baseUrl);
        const started = await agent.send('/console/sign-in');
        const address = new URL(started.headers.get('location') ?? '');
        address.searchParams.set(part, 'x'.repeat(43));
        const callback = await agent.signInAtProvider('porter', address.href);
        const response = await agent.send(callback.href, { headers: { accept: '*/*' } });
        assert.equal(response.status, 400, part);
        assert.doesNotMatch(response.headers.get('set-cookie') ?? '', /landfall-console/);
      }
      assert(before !== undefined);
      assert.equal(await countFailures(), before);
    });

    test('a flood of invented codes redeems one of each sign-in, is no failure, and lets others sign in', async () => {
      const countFailures = async () => {
        const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
        return /task="console-sign-in"\} (\d+)/.exec(metrics)?.[1];
      };
      const before = await countFailures();
      const honest = new PersonAgent(baseUrl);
      const own = await honest.goToProvider('porter');
      const flooding = new PersonAgent(baseUrl);
      const started = await flooding.send('/console/sign-in');
      const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? '';
      const cookie = `landfall-sign-in=${flooding.cookie('landfall-sign-in')}`;
      provider.requests.length = 0;
      const flood = Array.from({ length: 300 }, async (_, index) => {
        const parameters = new URLSearchParams({
          code: `invented-${index}`,
          state,
          iss: provider.issuer,
        });
        const address = `${baseUrl}/console/sign-in/callback?${parameters}`;
        const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
        await response.text();
        return response.status;
      });
      await honest.open(own.href);
      assert.equal((await honest.session())?.name, 'Porter');
      assert.deepEqual([...new Set(await Promise.all(flood))], [400]);
      assert.equal(provider.requests.filter((path) => path === '/token').length, 2);
      assert.equal(await countFailures(), before);
    });

    test('a code that a firewall before the provider refuses signs nobody in, and is no failure', async () => {
      const failures = async () => {
        const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
        return Number(/task="console-sign-in"\} (\d+)/.exec(metrics)?.[1]);
      };
      const before = await failures();
      try {
        for (const [refusal, status, counted] of [
          [403, 400, 0],
          [413, 400, 0],
          // The secret of the console is wrong, or the provider fails: the operator has to know.
          [401, 503, 1],
          [500, 503, 2],
        ] as const) {
          const agent = new PersonAgent(baseUrl);
          const callback = await agent.goToProvider('porter');
          provider.refusal = refusal;
          const response = await agent.send(callback.href, { headers: { accept: '*/*' } });
          provider.refusal = undefined;
          assert.equal(response.status, status, String(refusal));
          assert.equal((await failures()) - before, counted, String(refusal));
        }
      } finally {
        provider.refusal = undefined;
      }
    });

    test('nobody but the service can make or change the cookie of a sign-in', async () => {
      const agent = new PersonAgent(baseUrl);
      const callback = await agent.goToProvider('porter');
      const own = agent.cookie('landfall-sign-in') ?? '';
      const changed = Buffer.from(own, 'base64url');
      changed[40] = (changed[40] ?? 0) ^ 1;
      const state = callback.searchParams.get('state');
      for (const cookie of [
        changed.toString('base64url'),
        own.slice(0, 30),
        own.slice(0, 10),
        '',
        `${state}%20nonce%20verifier%20%2Fconsole%2F`,
      ]) {
        const response = await fetch(callback, {
          redirect: 'manual',
          headers: { cookie: `landfall-sign-in=${cookie}` },
        });
        assert.equal(response.status, 400, cookie);
      }
      assert.equal((await agent.open(callback.href)).url.search, '');
    });

    test('a session that the browser had before ends, and its id is never used again', async () => {
      const agent = await signedIn('porter');
      const before = agent.cookie('landfall-console') ?? '';
      // The provider has a session of the person, and shows no form.
      await agent.open('/console/sign-in');
      const after = agent.cookie('landfall-console') ?? '';
      assert.notEqual(before, after);
      const old = await fetch(`${baseUrl}/console/session`, {
        headers: { cookie: `landfall-console=${before}` },
      });
      assert.equal(old.status, 204);
    });

    test('a session that the browser does not send when it comes from the provider ends too', async () => {
      const before = (await signedIn('porter')).cookie('landfall-console') ?? '';
      const cookie = `landfall-console=${before}`;
      const isThere = async () =>
        (await fetch(`${baseUrl}/console/session`, { headers: { cookie } })).status === 200;
      // Its cookie is SameSite=Strict: the page of the console sends it, and the page of the provider does not.
      const agent = new PersonAgent(baseUrl);
      const started = await agent.send('/console/sign-in', { headers: { cookie } });
      const callback = await agent.signInAtProvider(
        'courier',
        started.headers.get('location') ?? '',
      );
      assert(await isThere());
      await agent.open(callback.href);
      assert.equal((await agent.session())?.name, 'Courier');
      assert(!(await isThere()));
    });

    test('whoever has no role, no organisation, no registered one, or several of both in two lists gets the reason and no session', async () => {
      for (const [account, reason] of [
        ['nobody', 'no-role'],
        ['unattached', 'no-organisation'],
        ['stranger', 'not-registered'],
        ['ambiguous', 'ambiguous-roles'],
      ] as const) {
        const agent = new PersonAgent(baseUrl);
        const page = await agent.signIn(account, '/console/gate');
        assert.equal(page.href, `${baseUrl}/console/gate?sign-in=${reason}`);
        assert.equal(await agent.session(), undefined);
      }
    });

    test('whoever cancels at the provider gets that reason', async () => {
      const agent = new PersonAgent(baseUrl);
      const started = await agent.send('/console/sign-in');
      const state = new URL(started.headers.get('location') ?? '').searchParams.get('state');
      const parameters = new URLSearchParams({
        error: 'access_denied',
        state: state ?? '',
        iss: provider.issuer,
      });
      const { url } = await agent.open(`/console/sign-in/callback?${parameters}`);
      assert.equal(url.search, '?sign-in=cancelled');
    });

    test('a session is known to every server and outlives a restart, and a signed-out one to none', async () => {
      const agent = await signedIn('porter');
      const second = await startServer(await findPort('localhost', 0));
      const cookie = `landfall-console=${agent.cookie('landfall-console')}`;
      const atSecond = await fetch(`${second}/console/session`, { headers: { cookie } });
      assert.equal(atSecond.status, 200);

      const end = await agent.act('/console/session', 'DELETE');
      assert.equal(end.status, 200);
      // The cast is true because this is what pages read.
      const { continueAt } = (await end.json()) as { continueAt: string };
      const address = new URL(continueAt);
      assert.equal(address.origin, provider.issuer);
      assert.equal(address.searchParams.get('post_logout_redirect_uri'), `${baseUrl}/console/`);
      assert.equal((await agent.open(continueAt)).response.status, 200);
      for (const server of [baseUrl, second]) {
        const ended = await fetch(`${server}/console/session`, { headers: { cookie } });
        assert.equal(ended.status, 204);
        const operation = await fetch(server + SIGNALS, { headers: { cookie } });
        assert.equal(operation.status, 401);
      }
    });

    test('signing out with the cookie that a choice of a role has just replaced ends the session', async () => {
      const agent = await signedIn('manager');
      const before = await agent.session();
      const other = before?.assignments.find(({ role }) => role !== before.role);
      assert(before && other);
      const cookie = `landfall-console=${agent.cookie('landfall-console')}`;
      const signOut = (csrfToken: string) =>
        fetch(`${baseUrl}/console/session`, {
          method: 'DELETE',
          headers: { cookie, origin: baseUrl, 'landfall-csrf-token': csrfToken },
        });
      const { organisation, role } = other;
      const chosen = await agent.act('/console/session', 'PUT', { organisation, role });
      assert.equal(chosen.status, 204);
      assert.equal((await agent.session())?.role, role);

      const used = await fetch(baseUrl + SIGNALS, { headers: { cookie } });
      assert.equal(used.status, 401);
      assert.equal((await signOut('another')).status, 403);
      const end = await signOut(before.csrfToken);
      assert.equal(end.status, 200);
      // The cast is true because this is what pages read.
      const { continueAt } = (await end.json()) as { continueAt: string };
      assert.equal(new URL(continueAt).origin, provider.issuer);
      assert.equal(await agent.session(), undefined);
      assert.equal((await signOut(before.csrfToken)).status, 401);
    });

    test('the database has neither the cookie nor the CSRF token of a session', async () => {
      const agent = await signedIn('porter');
      const session = await agent.session();
      const rows = await database.query({
        name: 'test-console-sessions',
        text: 'select s::text as row from console_session s',
        values: [],
      });
      const text = JSON.stringify(rows);
      assert.match(text, /Porter/);
      assert(!text.includes(agent.cookie('landfall-console') ?? ''));
      assert(!text.includes(session?.csrfToken ?? ''));
    });

    test('every act is in the audit trail under the pseudonym of the person', async () => {
      const officer = await signedIn('officer');
      const put = await officer.act(
        '/console/api/api/authority/v1/organisations/0192:310000035',
        'PUT',
        {
          name: 'Put by a person',
          kind: 'domestic',
          grantedScopes: ['movement/entry'],
          blocked: false,
          clients: [],
        },
      );
      assert(put.ok, await put.text());
      const pseudonym = makePseudonym({ iss: provider.issuer, sub: 'officer' }, SUBJECT_KEY);
      const rows = await database.query<{ entry: string }>({
        name: 'test-audit-records',
        text: "select entry from audit_record where entry like '%Put by a person%'",
        values: [],
      });
      assert.equal(rows.length, 1);
      // The cast is true because entries are written so.
      const { actor } = JSON.parse(rows[0]?.entry ?? '{}') as { actor: object };
      assert.deepEqual(actor, { organisation: CUSTOMS, client: pseudonym });
      assert.doesNotMatch(rows[0]?.entry ?? '', /officer/i);
    });

    test("a carrier's person sees nothing of another organisation at any address of the console", async () => {
      const { mrn, containerId, ...goods } = foreignGoods;
      await registerDeclaration(database, {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: EXPRESS,
        houseConsignments: [{ ...goods, containerId: [containerId] }],
      });
      const express = await signedIn('courier');
      const presented = await express.act(PRESENT, 'POST', presentation('FOREIGN-1'));
      assert.equal(presented.status, 202);
      // The cast is true because the response to an accepted presentation has it.
      const { requestId } = (await presented.json()) as { requestId: string };
      assert((await (await express.act(STATUSES)).text()).includes(requestId));

      const carrier = await signedIn('porter');
      let requested = 0;
      for (const operation of Object.values(operations)) {
        const path = samplePath(operation, { id: EXPRESS, requestId, reference: requestId });
        const response = await carrier.act(
          `/console/api${path}`,
          operation.method,
          bodyNaming(operation, foreignGoods),
        );
        const text = await response.text();
        requested++;
        const seen = `${operation.method} ${path}: ${response.status} ${text}`;
        if (path.startsWith('/api/authority/')) assert.equal(response.status, 403, seen);
        assert(!text.includes('FOREIGN-1') && !text.includes('26NO00000000000099'), seen);
        assert(!(response.ok && (text.includes(requestId) || text.includes(EXPRESS))), seen);
      }
      assert.equal(requested, Object.keys(operations).length);

      // Whatever names the goods of another organisation is responded to as if they did not exist.
      const foreign = { documentNumber: 'FOREIGN-1', mrn, requestId };
      const unknown = {
        documentNumber: 'UNKNOWN-1',
        mrn: unknownGoods.mrn,
        requestId: randomUUID(),
      };
      for (const operation of Object.values<Operation>(operations)) {
        if (operation.tag !== 'Presentation' || operation.method !== 'POST') continue;
        // A batch has a result for each line.
        if (operation.body?.['application/json'] === undefined) continue;
        const post = async (person: PersonAgent, goods: Goods) => {
          const body = bodyNaming(operation, goods);
          const response = await person.act(`/console/api${operation.path}`, 'POST', body);
          const text = await response.text();
          return `${response.status} ${text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')}`;
        };
        const refusal = await post(carrier, foreignGoods);
        assert.match(refusal, /^400 .*REFERENCE_NOT_FOUND/, operation.operationId);
        assert.equal(refusal, await post(carrier, unknownGoods), operation.operationId);
        assert.match(await post(express, foreignGoods), /^202 /, operation.operationId);
      }
      const respond = async (operation: Operation, names: typeof foreign, query: string) => {
        const path = samplePath(operation, {
          id: EXPRESS,
          reference: names.requestId,
          ...names,
        });
        const response = await carrier.act(`/console/api${path}${query}`);
        let text = await response.text();
        for (const value of Object.values(names)) text = text.replaceAll(value, 'NAME');
        return `${response.status} ${text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')}`;
      };
      for (const operation of Object.values<Operation>(operations)) {
        if (operation.method !== 'GET' || operation.access === 'public') continue;
        // A code list is in the order of its codes, for everybody: its page after a text depends on the text.
        if (operation.operationId === 'getCodeList') continue;
        const parameters = Object.keys(operation.query?.properties ?? {}).flatMap((name) =>
          Object.keys(foreign).map((of) => [name, of] as const),
        );
        const query = (names: typeof foreign, [name, of]: (typeof parameters)[number]) =>
          // The cast is true because the names are those of the same type.
          respond(operation, names, `?${name}=${names[of as keyof typeof foreign]}`);
        assert.equal(
          await respond(operation, foreign, ''),
          await respond(operation, unknown, ''),
          operation.operationId,
        );
        for (const parameter of parameters) {
          const what = `${operation.operationId} ${parameter.join(' ')}`;
          assert.equal(await query(foreign, parameter), await query(unknown, parameter), what);
        }
      }

      // Addresses beside the operations: pages have no data, and those that control a playground do not exist.
      const page = await (await fetch(`${baseUrl}/console/`)).text();
      for (const path of ['/console/', '/console/consignments/FOREIGN-1', '/console/dataset']) {
        assert.equal(await (await carrier.act(path)).text(), page, path);
      }
      for (const path of ['dataset', 'requests', 'clock', 'identities', 'scenarios']) {
        for (const address of [`/playground/${path}`, `/console/api/playground/${path}`]) {
          const response = await carrier.act(address);
          const text = await response.text();
          assert(response.status === 404 || text === page, `${address}: ${response.status}`);
        }
      }
      // What the carrier has are the refusals of its own presentations.
      // The cast is true because these are the members of a status.
      const statuses = (await (await carrier.act(STATUSES)).json()) as {
        status: string;
        houseConsignments: number;
      }[];
      assert(statuses.length > 0);
      for (const { status, houseConsignments } of statuses) {
        assert.deepEqual([status, houseConsignments], ['FAILURE', 0]);
      }
      assert.deepEqual(await (await carrier.act(SIGNALS)).json(), []);
    });

    test('while the provider cannot be reached the service runs, sign-in responds with 503, and it is counted', async () => {
      const port = await findPort('localhost', 0);
      const server = await startServer(port, { ...service.settings, issuer: 'http://127.0.0.1:1' });
      const program = await fetch(`${server}/console/sign-in`, { redirect: 'manual' });
      assert.equal(program.status, 503);
      assert.match(await program.text(), /cannot be reached.*Try again/);
      const browser = await fetch(`${server}/console/sign-in?return=/console/gate`, {
        redirect: 'manual',
        headers: { accept: 'text/html' },
      });
      assert.equal(browser.headers.get('location'), '/console/gate?sign-in=unavailable');
      assert.equal((await fetch(`${server}/readyz`)).status, 200);
      const metrics = await (await fetch(`${server}/metrics`)).text();
      assert.match(metrics, /console-sign-in[^\n]* [1-9]/);
    });

    test('while the provider does not respond, whoever has signed in works for 15 minutes', async () => {
      const agent = await signedIn('porter');
      provider.isDown = true;
      await letConfirm(14);
      assert.equal((await agent.act(SIGNALS)).status, 200);
      await letConfirm(15);
      const refused = await agent.send(SIGNALS);
      assert.equal(refused.status, 503);
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.match(await refused.text(), /cannot confirm/);
      provider.isDown = false;
    });

    test('while the provider does not respond, it is not requested for every session', async () => {
      const agents = [await signedIn('porter'), await signedIn('courier')];
      await letConfirm();
      provider.isUnreachable = true;
      provider.requests.length = 0;
      try {
        for (const agent of agents) {
          assert.equal((await agent.send(SIGNALS, { headers: JSON_ONLY })).status, 200);
        }
      } finally {
        provider.isUnreachable = false;
      }
      assert.deepEqual(provider.requests, ['/token']);
    });
  });
}
