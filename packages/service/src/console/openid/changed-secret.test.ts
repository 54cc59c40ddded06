// The provider changes the secret of the console's client while people sign in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPort } from '../../../../playground/dist/find-port.js';
import { grantScopes } from '../../access/grant-scopes.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { ConsoleService } from '../../testing/console-service.js';
import { testDatabases } from '../../testing/databases.js';
import { PersonAgent } from '../../testing/person-agent.js';
import { until } from '../../testing/until.js';
import { makeSignInCookie } from './sign-in-cookie.js';

const CARRIER = '0192:310000019';

test('people sign in with the next secret of the client, without a restart', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  assert.ok(database);
  await grantScopes(database, new AuditTrail(), new Date(), CARRIER, {
    scopes: ['movement/entry'],
  });
  const accounts = { porter: { name: 'Porter', organisation: CARRIER, roles: ['gate'] } };
  let secret = '';
  const service = await ConsoleService.start(database, accounts, {}, async () => secret);
  try {
    secret = service.provider.clientSecret;
    const agent = await service.signIn('porter');
    assert.equal((await agent.session())?.name, 'Porter');
    secret = 'the next secret of the console';
    await service.provider.changeClientSecret(secret);
    await until(async () => {
      const another = new PersonAgent(service.baseUrl);
      await another.signIn('porter').catch(() => undefined);
      return (await another.session())?.name === 'Porter';
    });
    // Whoever had signed in stays so.
    assert.equal((await agent.session())?.name, 'Porter');
  } finally {
    await service.close();
  }
});

test('with another key of the pseudonyms, people sign in again, server by server, and have another pseudonym', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  assert.ok(database);
  await grantScopes(database, new AuditTrail(), new Date(), CARRIER, {
    scopes: ['movement/entry'],
  });
  const accounts = { porter: { name: 'Porter', organisation: CARRIER, roles: ['gate'] } };
  const service = await ConsoleService.start(database, accounts);
  const pseudonyms = async () => {
    const text = 'select distinct subject from console_session';
    const rows = await database.query<{ subject: string }>({ name: '', text, values: [] });
    return rows.map(({ subject }) => subject);
  };
  try {
    const agent = await service.signIn('porter');
    assert.equal((await agent.session())?.name, 'Porter');
    const [before] = await pseudonyms();
    // A server that has the next key while another one has the last one takes no session of that one, and ends none.
    const next = {
      ...service.settings,
      subjectKey: 'the next key of the pseudonyms, with 32 or more',
    };
    const second = await service.startServer(await findPort('localhost', 0), next);
    const cookie = `landfall-console=${agent.cookie('landfall-console')}`;
    const elsewhere = await fetch(`${second}/console/session`, { headers: { cookie } });
    assert.equal(elsewhere.status, 204);
    assert.equal((await agent.session())?.name, 'Porter');
    // Then the first server is restarted with it.
    await service.servers[0]?.app.close();
    await service.startServer(Number(new URL(service.baseUrl).port), next);
    assert.equal(await agent.session(), undefined);
    // The provider knows the browser, and shows no form.
    await agent.open('/console/sign-in?return=%2Fconsole%2F');
    assert.equal((await agent.session())?.name, 'Porter');
    const known = await pseudonyms();
    assert(before !== undefined && known.length === 2 && known.includes(before), known.join());
  } finally {
    await service.close();
  }
});

test('a sign-in that began with the secret of before is completed', () => {
  const subjectKey = 'a key of the pseudonyms, 32 characters or more';
  const settings = { subjectKey, clientSecret: 'first' };
  const started = {
    ...{ state: 's', nonce: 'n', verifier: 'v', returnTo: '/console/' },
    begunAt: Date.now(),
  };
  const [pair] = makeSignInCookie('http://localhost', settings).write(started).split(';');
  const after = (...known: [string, ...string[]]) =>
    makeSignInCookie('http://localhost', settings, () => known).read(pair)?.state;
  assert.equal(after('second', 'first'), 's');
  assert.equal(after('second'), undefined);
});
