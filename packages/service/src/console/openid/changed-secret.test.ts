// The provider changes the secret of the console's client while people sign in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
