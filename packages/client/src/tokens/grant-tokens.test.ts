// Tokens are cached, renewed in time by one request, and replaced when the service refuses them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { TokenError } from '../errors/token-error.js';
import { Landfall } from '../landfall.js';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import { fixedToken } from './token-source.js';
import type { StoredToken } from './token-store.js';

const playground = await startTestPlayground();
const proxy = await startFaultyProxy(playground.baseUrl);

/** A client whose requests to the service, the exchange included, go through the proxy. */
const connect = (name: string) =>
  playground.client(name, { baseUrl: proxy.url, retry: { baseDelayMs: 5 } });

const exchanges = () => proxy.requests.filter((request) => request.includes('/oauth/token')).length;

test.beforeEach(() => {
  proxy.requests.length = 0;
});

test('one token serves all calls, and all who wait share its request', async () => {
  const carrier = await connect('carrier');
  await Promise.all(Array.from({ length: 5 }, () => carrier.readRoutingSignals()));
  await carrier.listValidationStatuses();
  assert.equal(exchanges(), 1);
});

test('each scope has a token of its own', async () => {
  const authority = await connect('authority');
  await authority.listRoutingProfiles();
  await authority.listGoodsItems();
  await authority.listRoutingProfiles();
  assert.equal(exchanges(), 2);
});

test('a token is renewed one minute before it expires', async (t) => {
  const carrier = await connect('carrier');
  await carrier.testAuth();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  // The playground's tokens are valid for 970 s.
  t.mock.timers.tick(905_000);
  await carrier.testAuth();
  assert.equal(exchanges(), 1);
  t.mock.timers.tick(10_000);
  await Promise.all([carrier.testAuth(), carrier.testAuth()]);
  assert.equal(exchanges(), 2);
});

test('a token that the service refuses early is replaced once', async () => {
  const carrier = await connect('carrier');
  proxy.fail('/test-auth', { status: 401 });
  assert.equal(await carrier.testAuth(), 'OK');
  assert.equal(exchanges(), 2);

  proxy.fail('/test-auth', { status: 401 }, { status: 401 });
  await assert.rejects(carrier.testAuth(), /401/);
  assert.equal(exchanges(), 3);
});

test('an exchange that is overloaded or lost is repeated with a new grant', async () => {
  const carrier = await connect('carrier');
  proxy.fail('/oauth/token', { status: 503 }, 'lost-response', { status: 429 });
  assert.equal(await carrier.testAuth(), 'OK');
  assert.equal(exchanges(), 4);
});

test('without a token nothing was sent: the outcome is known', async () => {
  const carrier = await connect('carrier');
  proxy.fail('/oauth/token', 'lost-response');
  const presenting = carrier.presentContainer(
    {
      requestId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
      customsOfficeOfPresentation: 'NO351001',
      containerId: 'JARU0000010',
    },
    { retry: false },
  );
  await assert.rejects(presenting, (error) => {
    assert(error instanceof TokenError);
    assert.equal(error.status, undefined);
    return !error.outcomeUnknown;
  });
});

test('while renewals fail, the token that is still valid is used, and renewals have pauses', async (t) => {
  const carrier = await playground.client('carrier', { baseUrl: proxy.url, retry: false });
  await carrier.testAuth();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  t.mock.timers.tick(915_000);
  proxy.fail('/oauth/token', { status: 503 }, { status: 503 });
  assert.equal(await carrier.testAuth(), 'OK');
  assert.equal(await carrier.testAuth(), 'OK');
  assert.equal(exchanges(), 2);
  t.mock.timers.tick(6_000);
  assert.equal(await carrier.testAuth(), 'OK');
  assert.equal(exchanges(), 3);
  t.mock.timers.tick(60_000);
  proxy.fail('/oauth/token', { status: 503 });
  await assert.rejects(carrier.testAuth(), TokenError);
});

test('the signal of one who waits does not end the renewal of another', async () => {
  const carrier = await connect('carrier');
  const controller = new AbortController();
  const impatient = carrier.testAuth({ signal: controller.signal });
  const other = carrier.testAuth();
  controller.abort(new RangeError('enough'));
  await assert.rejects(impatient, new RangeError('enough'));
  assert.equal(await other, 'OK');
  assert.equal(exchanges(), 1);
});

test('a store keeps tokens between clients, and a refused one is replaced in it', async () => {
  const kept = new Map<string, StoredToken>();
  const tokenStore = {
    read: async (key: string) => kept.get(key),
    write: async (key: string, token: StoredToken) => {
      kept.set(key, token);
    },
  };
  const options = { baseUrl: proxy.url, tokenStore };
  await (await playground.client('carrier', options)).testAuth();
  await (await playground.client('carrier', options)).testAuth();
  assert.equal(exchanges(), 1);

  const [first] = kept.values();
  proxy.fail('/test-auth', { status: 401 });
  await (await playground.client('carrier', options)).testAuth();
  const [second] = kept.values();
  assert.notEqual(second?.token, first?.token);
});

test('a refusal names the step, the code of OAuth and the code of the provider', async () => {
  const express = await connect('express');
  const file = await playground.credentials('carrier');
  const wrong = new Landfall({
    baseUrl: playground.baseUrl,
    credentials: {
      ...file.credentials,
      identityProvider: { url: playground.idpUrl, audience: 'https://elsewhere.example' },
    },
  });
  await assert.rejects(wrong.testAuth(), (error) => {
    assert(error instanceof TokenError);
    assert.equal(error.step, 'identity-provider');
    assert.equal(error.error, 'invalid_grant');
    assert.equal(error.providerCode, 'MP-110');
    return true;
  });
  // A scope that has no form for foreign businesses.
  await assert.rejects(express.listGoodsItems(), ConfigurationError);
});

test('a program may bring its own token', async () => {
  const landfall = new Landfall({ baseUrl: playground.baseUrl, tokens: fixedToken('nonsense') });
  await assert.rejects(landfall.testAuth(), /401/);
});
