// The keys of an external identity provider, which may be unavailable.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { BackgroundFailures } from '../http/background-failures.js';
import { collectGarbage } from '../testing/collect-garbage.js';
import {
  call,
  exchange,
  makeClock,
  type Running,
  startAccess,
  type TokenResponse,
} from '../testing/running-access.js';
import { until } from '../testing/until.js';
import { openRemoteKeys, REMOTE_KEYS_FRESH_S, REMOTE_KEYS_MAX_AGE_S } from './remote-keys.js';

type Pair = { kid: string; privateKey: CryptoKey; jwk: JWK };

let provider: Server;
let running: Running;
let issuer: string;
let published: JWK[];
let requested = 0;
let away = false;
/** While true, the provider takes requests and never responds. */
let silent = false;
const logged: unknown[] = [];
const failures = new BackgroundFailures({ warn: (entry: unknown) => logged.push(entry) });
const clock = makeClock();

async function makePair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' } };
}

async function exchangeSignedWith(pair: Pair): Promise<TokenResponse> {
  return exchange(running, await signSubjectToken(pair, `${issuer}/`));
}

function signSubjectToken({ kid, privateKey }: Pair, iss: string): Promise<string> {
  const seconds = Math.floor(clock().getTime() / 1000);
  return new SignJWT({
    client_id: 'some-client',
    scope: 'customs:movement/entry',
    consumer: { authority: 'iso6523-actorid-upis', ID: '0192:310000019' },
  })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(iss)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 120)
    .sign(privateKey);
}

let first: Pair;
let second: Pair;
let third: Pair;

before(async () => {
  [first, second, third] = await Promise.all([makePair('1'), makePair('2'), makePair('3')]);
  provider = createServer((_request, response) => {
    requested += 1;
    if (silent) return;
    response.statusCode = away ? 500 : 200;
    response.end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => provider.listen(0, 'localhost', resolve));
  const address = provider.address();
  assert.ok(typeof address === 'object' && address !== null);
  issuer = `http://localhost:${address.port}`;
  running = await startAccess({
    clock,
    identityProvider: { issuer, jwksUrl: `${issuer}/jwk` },
    reportKeySetFailure: failures.reporter('identity-provider-keys', 'keys could not be read'),
  });
});
beforeEach(() => {
  requested = 0;
});
after(async () => {
  await running.close();
  provider.closeAllConnections();
  provider.close();
});

test('while no key set was read and the provider is unavailable, the exchange is unavailable', async () => {
  away = true;
  const { status, headers } = await exchangeSignedWith(first);
  assert.equal(status, 503);
  assert.ok(headers.get('retry-after'));
  assert.equal(failures.counts.get('identity-provider-keys'), 1);
  assert.equal(logged.length, 1);
  clock.moveOn(6);
});

test('keys are requested once and then cached', async () => {
  away = false;
  published = [first.jwk];
  const { status, body } = await exchangeSignedWith(first);
  assert.equal(status, 200, String(body.error_description));
  assert.equal((await call(running, String(body.access_token))).status, 200);
  await exchangeSignedWith(first);
  assert.equal(requested, 1);
});

test('an unknown key is requested, at most once a minute', async () => {
  published = [first.jwk, second.jwk];
  assert.equal((await exchangeSignedWith(second)).body.error, 'invalid_request');
  assert.equal(requested, 0);
  clock.moveOn(61);
  assert.equal((await exchangeSignedWith(second)).status, 200);
  for (let count = 0; count < 5; count++) await exchangeSignedWith(third);
  assert.equal(requested, 1);
});

test('a key that was withdrawn is refused once the key set is too old, however long nobody exchanged', async () => {
  published = [second.jwk];
  // Less than the time that passes meanwhile on a busy machine.
  clock.moveOn(REMOTE_KEYS_FRESH_S - 60);
  assert.equal((await exchangeSignedWith(first)).status, 200);
  assert.equal(requested, 0);
  clock.moveOn(60);
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await exchangeSignedWith(first)).body.error),
  );
  assert.deepEqual(new Set(statuses), new Set(['invalid_request']));
  // Two at most: one because of its age, and one because the key is not in it.
  assert.ok(requested >= 1 && requested <= 2, `${requested} requests`);
  assert.equal((await exchangeSignedWith(second)).status, 200);
});

test('while the provider is unavailable, known keys are accepted up to their maximum age', async () => {
  away = true;
  published = [third.jwk];
  clock.moveOn(3600);
  assert.equal((await exchangeSignedWith(second)).status, 200);
  clock.moveOn(REMOTE_KEYS_MAX_AGE_S - 3600 - 60);
  assert.equal((await exchangeSignedWith(third)).body.error, 'invalid_request');
  assert.equal((await exchangeSignedWith(second)).status, 200);
  for (let count = 0; count < 5; count++) await exchangeSignedWith(second);
  assert.equal(requested, 2);
  clock.moveOn(60);
  const { status, headers } = await exchangeSignedWith(second);
  assert.equal(status, 503);
  assert.ok(headers.get('retry-after'));
});

test('when it is available again, its new keys are accepted, and its removed keys are not', async () => {
  away = false;
  clock.moveOn(5);
  assert.equal((await exchangeSignedWith(third)).status, 200);
  assert.equal((await exchangeSignedWith(second)).body.error, 'invalid_request');
});

test('a provider that does not respond delays an exchange by seconds, and only one a minute', async () => {
  silent = true;
  clock.moveOn(REMOTE_KEYS_FRESH_S);
  assert.equal((await exchangeSignedWith(third)).status, 200);
  assert.equal(requested, 1);
  assert.equal((await exchangeSignedWith(third)).status, 200);
  assert.equal(requested, 1);
  silent = false;
});

test('while the key set hangs, every first exchange is answered, and one of another issuer at once', async (t) => {
  let asked = 0;
  const hanging = createServer(() => {
    asked++;
  });
  await new Promise<void>((resolve) => hanging.listen(0, 'localhost', resolve));
  const address = hanging.address();
  assert.ok(typeof address === 'object' && address !== null);
  const here = `http://localhost:${address.port}`;
  const started = await startAccess({
    clock,
    identityProvider: { issuer: here, jwksUrl: `${here}/jwk` },
  });
  t.after(async () => {
    await started.close();
    hanging.closeAllConnections();
    hanging.close();
  });
  const send = async (iss: string) => exchange(started, await signSubjectToken(first, iss));
  const answered: string[] = [];
  const note = async (name: string, response: Promise<TokenResponse>) => {
    const { status } = await response;
    answered.push(`${name} ${status}`);
  };
  const stuck = [1, 2, 3].map((number) => note(`own ${number}`, send(here)));
  await until(() => asked === 1);
  await note('other', send('https://other.example'));
  assert.deepEqual(answered, ['other 400']);
  await Promise.all(stuck);
  assert.deepEqual(answered.slice(1).sort(), ['own 1 503', 'own 2 503', 'own 3 503']);
  assert.equal(asked, 1);
  // From now on an attempt that hangs is waited for shortly: it goes on when the exchange is answered.
  clock.moveOn(6);
  const ended: string[] = [];
  const attempt = started.access.checkKeySet?.().catch(() => ended.push('attempt'));
  await note(
    'later',
    send(here).finally(() => ended.push('exchange')),
  );
  await attempt;
  assert.deepEqual(ended, ['exchange', 'attempt']);
  assert.equal(answered.at(-1), 'later 503');
  assert.equal(asked, 2);
});

test('the check in the background reads the key set before an exchange has to wait for it', async () => {
  away = false;
  published = [third.jwk];
  clock.moveOn(REMOTE_KEYS_MAX_AGE_S);
  await running.access.checkKeySet?.();
  clock.moveOn(REMOTE_KEYS_FRESH_S / 2);
  requested = 0;
  await running.access.checkKeySet?.();
  assert.equal(requested, 1);
  clock.moveOn(REMOTE_KEYS_FRESH_S / 2);
  assert.equal((await exchangeSignedWith(third)).status, 200);
  assert.equal(requested, 1);
});

test('with an external identity provider, the service has none of its own', async () => {
  assert.equal((await fetch(`${running.baseUrl}/idp/token`, { method: 'POST' })).status, 404);
});

/** A provider of its own with a server that uses its keys. */
async function startWith(respond: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => {
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const url = `http://localhost:${address.port}/jwk`;
  const warnings: string[] = [];
  const { find } = openRemoteKeys(
    url,
    () => performance.now(),
    (error) => warnings.push(error instanceof Error ? error.message : ''),
  );
  const header = { alg: 'RS256', kid: '1' };
  const token = { payload: '', signature: '' };
  return {
    warnings,
    find: async () => find(header, token),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a redirect of a key set is not followed', async () => {
  const redirecting = await startWith((response) => {
    response.writeHead(302, { location: `${issuer}/jwk` }).end();
  });
  await assert.rejects(redirecting.find(), { code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  assert.equal(requested, 0);
  assert.match(redirecting.warnings.join(), /^fetch failed: .*redirect/);
  redirecting.close();
});

test('an endless key set is abandoned', async () => {
  const endless = await startWith((response) => {
    response.write('{"keys":[');
    const pump = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', pump);
    };
    pump();
  });
  await assert.rejects(endless.find(), { code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  assert.match(endless.warnings.join(), /larger than 262144 bytes/);
  endless.close();
});

test('a key set that stops arriving is abandoned, and its connection closed', async (t) => {
  let closed: Promise<unknown> | undefined;
  const silent = await startWith((response) => {
    closed = once(response, 'close');
    response.write('{"keys":[');
  });
  t.after(silent.close);
  const finding = assert.rejects(silent.find(), { code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  await collectGarbage(2000);
  await finding;
  assert.match(silent.warnings.join(), /timeout/);
  assert(closed);
  await closed;
});
