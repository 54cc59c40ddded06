// Tokens are cached, renewed in time by one request, and replaced when the service refuses them.
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import test from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { TokenError } from '../errors/token-error.js';
import { Landfall } from '../landfall.js';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import type { Credentials } from './credentials.js';
import { GrantTokens } from './grant-tokens.js';
import type { SigningKey } from './signing-key.js';
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

test('systems that differ only in their certificate, key or claims have tokens of their own', async () => {
  const kept = new Map<string, StoredToken>();
  const tokenStore = {
    read: async (key: string) => kept.get(key),
    write: async (key: string, token: StoredToken) => {
      kept.set(key, token);
    },
  };
  const subjects: unknown[] = [];
  for (const name of ['express', 'courier']) {
    const { baseUrl, credentials } = await playground.credentials(name);
    assert.equal(credentials.kind, 'foreign');
    // The name of a foreign business is not evaluated: one system may have several eSeals.
    const tokens = new GrantTokens({
      baseUrl,
      credentials: { ...credentials, clientId: 'one system' },
      tokenStore,
    });
    const [, claims = ''] = (await tokens.getToken(['movement/entry'])).split('.');
    subjects.push(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub);
  }
  assert.notEqual(subjects[0], subjects[1]);
  assert.equal(kept.size, 2);

  const { baseUrl, credentials } = await playground.credentials('carrier');
  const variants: Credentials[] = [
    credentials,
    { ...credentials, key: (await playground.credentials('forwarder')).credentials.key },
    { ...credentials, clientId: 'another' },
    { ...credentials, scopePrefix: 'test:' },
    { ...credentials, exchangeUrl: 'https://exchange.example' },
    { ...credentials, identityProvider: { url: 'https://idp.example' } },
    { ...credentials, identityProvider: { ...credentials.identityProvider, audience: 'a' } },
    {
      ...credentials,
      identityProvider: { ...credentials.identityProvider, claims: { on_behalf_of: '1' } },
    },
  ];
  const digests = await Promise.all(
    variants.map((variant) => new GrantTokens({ baseUrl, credentials: variant }).identity()),
  );
  assert.equal(new Set(digests).size, variants.length);
  assert.equal(await new GrantTokens({ baseUrl, credentials }).identity(), digests[0]);
  // Lines of a PEM text may be broken in any way, and the text be bytes.
  const { key } = credentials;
  if (typeof key === 'string' && key.includes('-----BEGIN')) {
    for (const same of [
      key.replaceAll('\n', '\r\n'),
      key.replaceAll('\n', '\\n'),
      Buffer.from(key),
    ]) {
      const written = { ...credentials, key: same };
      assert.equal(await new GrantTokens({ baseUrl, credentials: written }).identity(), digests[0]);
    }
  } else assert.fail('the key is PEM');

  // In every form of a key, two keys are two identities.
  const make = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const forms: Record<string, (key: KeyObject) => Promise<SigningKey>> = {
    text: async (key) => key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    bytes: async (key) => Buffer.from(key.export({ format: 'pem', type: 'pkcs8' })),
    jwk: async (key) => key.export({ format: 'jwk' }) as SigningKey,
    KeyObject: async (key) => key,
    CryptoKey: (key) =>
      crypto.subtle.importKey(
        'pkcs8',
        Uint8Array.from(key.export({ format: 'der', type: 'pkcs8' })),
        { name: 'ECDSA', namedCurve: 'P-256' },
        false,
        ['sign'],
      ),
    signer: async () => ({ algorithm: 'ES256', sign: async (data) => data }),
  };
  for (const [form, toForm] of Object.entries(forms)) {
    const keys = [await toForm(make()), await toForm(make())];
    const [one, other] = await Promise.all(
      keys.map((key) => {
        // Nothing but the key tells one from the other.
        const {
          keyId: _,
          certificates: __,
          ...others
        } = credentials as Credentials & {
          keyId?: string;
        };
        const given = { ...others, key } as Credentials;
        return new GrantTokens({ baseUrl, credentials: given }).identity();
      }),
    );
    assert.notEqual(one, other, form);
  }
});

test('an aborted call whose renewal fails does not end the process', async () => {
  const carrier = await connect('carrier');
  proxy.fail('/oauth/token', { status: 400 }, { status: 400 });
  const ended: unknown[] = [];
  const note = (reason: unknown) => ended.push(reason);
  process.on('unhandledRejection', note);
  await assert.rejects(carrier.testAuth({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  const controller = new AbortController();
  const calling = carrier.testAuth({ signal: controller.signal });
  controller.abort();
  await assert.rejects(calling, { name: 'AbortError' });
  const tokens = new GrantTokens({
    ...(await playground.credentials('carrier')),
    baseUrl: proxy.url,
  });
  const aborted = new AbortController();
  const getting = tokens.getToken(['movement/entry'], aborted.signal);
  aborted.abort();
  await assert.rejects(getting, { name: 'AbortError' });
  await assert.rejects(tokens.getToken(['movement/entry']), TokenError);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  assert.deepEqual(ended, []);
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
