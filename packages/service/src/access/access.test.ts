// How a client gets access: grant, token exchange, call.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { playgroundIdentities } from '@landfall/contract';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  call,
  exchange,
  getAccessToken,
  getCustomsToken,
  goodGrant,
  type Running,
  sendGrant,
  startAccess,
} from '../testing/running-access.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

for (const { name, granted } of playgroundIdentities) {
  if (granted.length === 0) continue;
  test(`${name} gets a customs token that test-auth accepts`, async () => {
    const response = await call(running, await getCustomsToken(running, name));
    assert.equal(response.status, 200);
    assert.equal(await response.text(), 'OK');
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  });
}

test('newcomer gets a token of the identity provider, and its exchange is refused', async () => {
  const { status, body } = await exchange(running, await getAccessToken(running, 'newcomer'));
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: 'invalid_scope',
    error_description: 'not authorized to request scope customs:movement/entry',
  });
});

test('a domestic token names the consumer', async () => {
  const token = await getAccessToken(running, 'carrier');
  const { iat, exp, jti, ...claims } = decodeJwt(token);
  assert.deepEqual(claims, {
    iss: running.idpUrl,
    aud: running.baseUrl,
    sub: 'playground-carrier',
    client_id: 'playground-carrier',
    scope: 'customs:movement/entry',
    consumer: { authority: 'iso6523-actorid-upis', ID: '0192:310000019' },
  });
  assert.equal(Number(exp) - Number(iat), 120);
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  const { alg, typ, kid } = decodeProtectedHeader(token);
  assert.equal(alg, 'ES256');
  assert.equal(typ, 'at+jwt');
  assert.ok(kid);
});

test('a foreign token names the eSeal', async () => {
  const express = running.credentials('express');
  const { client_id, client_amr, consumer, scope } = decodeJwt(
    await getAccessToken(running, 'express'),
  );
  assert.equal(client_id, express.client_id);
  assert.match(String(client_id), /^eidas-[0-9a-f]+$/);
  assert.equal(client_amr, 'CForESeal');
  assert.equal(scope, 'customs:eu/movement/entry');
  assert.deepEqual(consumer, {
    authority: 'etsi-en-319-412',
    ID: 'NTRDE-HRB000001',
    organizationName: 'Playground Express',
    countryName: 'DE',
  });
});

test('a token response has the members of OAuth and must not be cached', async () => {
  const { status, body, headers } = await sendGrant(
    running,
    goodGrant(running.credentials('carrier')),
  );
  assert.equal(status, 200);
  assert.equal(body.token_type, 'Bearer');
  assert.equal(body.expires_in, 120);
  assert.equal(body.scope, 'customs:movement/entry');
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('one token may have several scopes', async () => {
  const carrier = running.credentials('carrier');
  const grant = goodGrant(carrier);
  grant.claims.scope = carrier.scopes.join(' ');
  const { body } = await sendGrant(running, grant);
  const { body: customs } = await exchange(running, String(body.access_token));
  assert.equal(decodeJwt(String(customs.access_token)).scope, carrier.scopes.join(' '));
});
