// The rules for the claims of a grant: times, audience, resource, representation and jti.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { JWT_BEARER_GRANT } from '@landfall/contract';
import { oneAddress } from '../../../service/dist/access/addresses.js';
import { assertRefused } from '../../../service/dist/testing/refused-grant.js';
import {
  goodGrant,
  type Running,
  sendGrant,
  signGrant,
  startAccess,
  type UnsignedGrant,
} from '../../../service/dist/testing/running-access.js';
import { openIdentityProvider } from './identity-provider.js';
import { consumeGrants } from './queries.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

function grantOf(name: string): UnsignedGrant {
  return goodGrant(running.credentials(name));
}

test('times outside the limits are refused with MP-130, and those at the limits are accepted', async () => {
  const now = Math.floor(Date.now() / 1000);
  const send = (iat: number, exp: number, more: Record<string, number> = {}) => {
    const grant = grantOf('carrier');
    Object.assign(grant.claims, { iat, exp, ...more });
    return sendGrant(running, grant);
  };
  assertRefused(running, await send(now, now + 121), 'MP-130');
  assertRefused(running, await send(now - 60, now - 12), 'MP-130');
  assertRefused(running, await send(now + 15, now + 60), 'MP-130');
  assertRefused(running, await send(now, now - 5), 'MP-130');
  assertRefused(running, await send(now, now + 60, { nbf: now + 20 }), 'MP-130');
  assert.equal((await send(now, now + 120)).status, 200);
  assert.equal((await send(now - 60, now - 5)).status, 200);
  assert.equal((await send(now + 8, now + 100)).status, 200);
});

test('aud names one audience, with or without a slash at its end', async () => {
  const send = (aud: unknown) => {
    const grant = grantOf('carrier');
    grant.claims.aud = aud;
    return sendGrant(running, grant);
  };
  for (const aud of [`${running.idpUrl}/`, [running.idpUrl]]) {
    assert.equal((await send(aud)).status, 200);
  }
  assertRefused(running, await send(['https://x.example', `${running.idpUrl}/`]), 'MP-110');
  assertRefused(running, await send([running.idpUrl, running.idpUrl]), 'MP-110');
  assertRefused(running, await send([]), 'MP-011');
});

test('a grant that requests to act for another organisation is refused, and one that names its own is accepted', async () => {
  const send = (name: string, claims: Record<string, unknown>) => {
    const grant = grantOf(name);
    Object.assign(grant.claims, claims);
    return sendGrant(running, grant);
  };
  const other = { authority: 'iso6523-actorid-upis', ID: '0192:310000027' };
  const own = { authority: 'iso6523-actorid-upis', ID: '0192:310000019' };
  const systemUser = (org: unknown) => [{ type: 'urn:altinn:systemuser', systemuser_org: org }];
  for (const claims of [
    { consumer_org: '310000027' },
    { consumerOrg: '0192:310000027' },
    { consumer_org: '' },
    { consumer_org: null },
    { consumer: other },
    { supplier: other },
    { authorization_details: systemUser(other) },
    { authorization_details: [...systemUser(own), ...systemUser(other)] },
    { authorization_details: [{ type: 'urn:altinn:systemuser' }] },
    { authorization_details: [] },
    { authorization_details: 'all' },
    { act: { sub: 'playground-forwarder' } },
    { act: { sub: 'playground-carrier', act: { sub: 'playground-forwarder' } } },
    { may_act: { sub: 'playground-forwarder' } },
    { on_behalf_of: '0192:310000027' },
    { delegation: true },
    { delegation_source: 'https://altinn.example' },
    { sub: 'playground-forwarder' },
  ]) {
    const refused = await send('carrier', claims);
    assertRefused(running, refused, 'MP-250', 'invalid_grant');
    const [name = ''] = Object.keys(claims);
    assert.ok(String(refused.body.error_description).includes(`'${name}' is `));
  }
  for (const claims of [
    { consumer_org: '310000019' },
    { consumer_org: '0192:310000019' },
    { consumer: own },
    { authorization_details: systemUser(own) },
    { act: { sub: 'playground-carrier' } },
    { sub: 'playground-carrier' },
    { sub: '0192:310000019' },
  ]) {
    const { status, body } = await send('carrier', claims);
    assert.equal(status, 200, String(body.error_description));
  }
  assertRefused(
    running,
    await send('express', { consumer_org: '310000019' }),
    'MP-250',
    'invalid_grant',
  );
  const iss = 'NTRDE-OTHER';
  assertRefused(
    running,
    await send('express', { iss, consumer_org: iss }),
    'MP-250',
    'invalid_grant',
  );
  assert.equal((await send('express', { iss, sub: iss })).status, 200);
  const { organisation } = running.credentials('express');
  assert.equal((await send('express', { consumer_org: organisation })).status, 200);
});

test('a jti is accepted once on all servers, and a refused grant does not consume it', async () => {
  const grant = grantOf('carrier');
  const { scope } = grant.claims;
  grant.claims.scope = 'customs:declaration.feed';
  assertRefused(running, await sendGrant(running, grant), 'MP-200');
  grant.claims.scope = scope;
  assert.equal((await sendGrant(running, grant)).status, 200);
  assertRefused(running, await sendGrant(running, grant), 'MP-012');

  const { database, baseUrl, dataFolder } = running;
  const other = await openIdentityProvider({
    database,
    addresses: oneAddress(baseUrl),
    scopePrefix: 'customs:',
    keys: { folder: `${dataFolder}/keys` },
    trustedIssuers: [],
  });
  const form = { grant_type: JWT_BEARER_GRANT, assertion: await signGrant(grant) };
  await assert.rejects(
    async () => other.requestAccessToken(form, randomUUID(), () => undefined, baseUrl),
    {
      code: 'MP-012',
    },
  );
  other.close();
});

test('a grant may name this service as its resource, and no other', async () => {
  for (const resource of [running.baseUrl, [`${running.baseUrl}/`]]) {
    const grant = grantOf('carrier');
    grant.claims.resource = resource;
    assert.equal((await sendGrant(running, grant)).status, 200);
  }
  for (const resource of ['https://other.example', [running.baseUrl, 'https://other.example']]) {
    const grant = grantOf('carrier');
    grant.claims.resource = resource;
    const refused = await sendGrant(running, grant);
    assertRefused(running, refused, 'MP-011', 'invalid_target');
    assert.match(String(refused.body.error_description), /resource is 'https:\/\/other\.example'/);
  }
  const grant = grantOf('carrier');
  grant.claims.resource = 5;
  assertRefused(running, await sendGrant(running, grant), 'MP-011');
});

test('of several concurrent requests with the same grant, one gets a token', async () => {
  const assertion = await signGrant(grantOf('carrier'));
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => sendGrant(running, assertion)),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
});

test('of different grants that are sent twice at once, each gets one token', async () => {
  const assertions = await Promise.all(
    Array.from({ length: 10 }, () => signGrant(grantOf('carrier'))),
  );
  const sent = await Promise.all(
    [...assertions, ...assertions].map((assertion) => sendGrant(running, assertion)),
  );
  for (const index of assertions.keys()) {
    const statuses = [sent[index]?.status, sent[index + 10]?.status];
    assert.deepEqual(statuses.sort(), [200, 400]);
  }
});

test('grants that are consumed together are compared each with its own time', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const uses = ['ended', 'not ended'].map((jti) => ({
    clientId: randomUUID(),
    jti,
    endsAt: at(10),
  }));
  const consume = async (minutes: number[]) => {
    const given = uses.map((use, index) => ({ ...use, usedAt: at(minutes[index] ?? 0) }));
    const rows = await running.database.query<{ jti: string }>(consumeGrants(given));
    return rows.map(({ jti }) => jti);
  };
  assert.equal((await consume([1, 1])).length, 2);
  assert.deepEqual(await consume([11, 9]), ['ended']);
});

test('a grant without a jti may be sent again', async () => {
  const grant = grantOf('carrier');
  delete grant.claims.jti;
  assert.equal((await sendGrant(running, grant)).status, 200);
  assert.equal((await sendGrant(running, grant)).status, 200);
});
