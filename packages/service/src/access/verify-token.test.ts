// Which customs tokens are accepted, and how soon the end of a token takes effect.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import {
  call,
  getAccessToken,
  getCustomsToken,
  type Running,
  startAccess,
} from '../testing/running-access.js';
import { openKeyRing } from './signing-keys/key-ring.js';
import { rotateKeys } from './signing-keys/rotate-keys.js';

let running: Running;
let token: string;
before(async () => {
  running = await startAccess();
});
beforeEach(async () => {
  token = await getCustomsToken(running, 'carrier');
});
after(() => running.close());

async function statusOf(presented: string): Promise<number> {
  return (await call(running, presented)).status;
}

const good = () => ({
  iss: `${running.baseUrl}/api/access`,
  aud: running.baseUrl,
  sub: '0192:310000019',
  client_id: 'playground-carrier',
  scope: 'customs:movement/entry',
  exp: Math.floor(running.clock().getTime() / 1000) + 60,
});

/** A token that is signed with our own key, whatever it says. */
async function forge(claims: JWTPayload): Promise<string> {
  const keys = await openKeyRing(
    { folder: join(running.dataFolder, 'keys') },
    'customs-token',
    running.clock,
  );
  keys.close();
  return keys.sign({ ...good(), ...claims });
}

test('a call without a token, or with an invalid header, is refused', async () => {
  const url = `${running.baseUrl}/api/movement/road/v2/test-auth`;
  for (const authorization of [
    undefined,
    'Bearer',
    'Bearer ',
    'Basic eDp5',
    'Bearer a b',
    `Bearer ${'x'.repeat(9000)}`,
  ]) {
    const response = await fetch(url, {
      headers: authorization === undefined ? {} : { authorization },
    });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
  }
  const lower = await fetch(url, { headers: { authorization: `bearer ${token}` } });
  assert.equal(lower.status, 200);
});

test('a token of the identity provider is not a customs token', async () => {
  assert.equal(await statusOf(await getAccessToken(running, 'carrier')), 401);
});

test('a token with another issuer or audience, or with a missing claim, is refused', async () => {
  assert.equal(await statusOf(await forge({})), 200);
  for (const claims of [
    { iss: 'https://x.example' },
    { aud: 'https://x.example' },
    { exp: Math.floor(running.clock().getTime() / 1000) - 1 },
    { exp: undefined },
    { sub: undefined },
    { sub: '0192:999999999' },
    { client_id: 7 },
    { scope: undefined },
  ] as JWTPayload[]) {
    assert.equal(await statusOf(await forge(claims)), 401, JSON.stringify(claims));
  }
});

test('a token with another signature or algorithm is refused', async () => {
  const [, claims = ''] = token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  assert.equal(await statusOf(`${none}.${claims}.`), 401);
  const [key] = running.access.getCustomsKeys().keys;
  assert.ok(key);
  const secret = Buffer.from(JSON.stringify(key));
  const symmetric = new SignJWT(good()).setProtectedHeader({
    alg: 'HS256',
    typ: 'at+jwt',
    kid: key.kid,
  });
  assert.equal(await statusOf(await symmetric.sign(secret)), 401);
});

test('a cached token is refused after it has expired', async () => {
  const { exp = 0 } = decodeJwt(token);
  /** Seconds, rounded up: fractions of a second would not add up to exactly the expiry. */
  const remaining = () => Math.ceil(exp - running.clock().getTime() / 1000);
  assert.equal(await statusOf(token), 200);
  // The clock moves on meanwhile, on a busy machine by more than a second.
  running.clock.moveOn(remaining() - 10);
  assert.equal(await statusOf(token), 200);
  running.clock.moveOn(remaining());
  assert.equal(await statusOf(token), 401);
});

test('a block takes effect at once on this server and within a minute on others, and so does its end', async () => {
  assert.equal(await statusOf(token), 200);
  const block = (blocked: boolean) =>
    running.database.query({
      name: `block-${blocked}`,
      text: `update organisation set blocked = ${blocked} where identifier = '0192:310000019'`,
      values: [],
    });
  await block(true);
  running.clock.moveOn(60);
  assert.equal(await statusOf(token), 401);
  await block(false);
  running.clock.moveOn(60);
  assert.equal(await statusOf(token), 200);
  const existing = await running.access.getOrganisation('0192:310000019');
  assert.ok(existing);
  const clients = existing.clients.map((client) => ({ ...client, blocked: true }));
  await running.access.putOrganisation(existing.id, { ...existing, clients });
  assert.equal(await statusOf(token), 401);
  await running.access.putOrganisation(existing.id, existing);
  assert.equal(await statusOf(token), 200);
});

test('an open read ends within seconds when its token ends or is blocked on another server', async () => {
  const open = async () =>
    running.access.authenticate({ headers: { authorization: `Bearer ${token}` } });
  const caller = await open();
  const block = (blocked: boolean, what: string) =>
    running.database.query({
      name: `block-${what}`,
      text: `update ${what} set blocked = $1 where ${what === 'client' ? "client_id = 'playground-carrier'" : "identifier = '0192:310000019'"}`,
      values: [blocked],
    });
  assert.equal(await caller.stillAllowed(), true);
  for (const what of ['organisation', 'client']) {
    await block(true, what);
    running.clock.moveOn(5);
    assert.equal(await caller.stillAllowed(), false, what);
    await assert.rejects(open, { code: 'INVALID_TOKEN' });
    await block(false, what);
    running.clock.moveOn(5);
    assert.equal(await caller.stillAllowed(), true, what);
  }
  running.clock.moveOn(970);
  assert.equal(await caller.stillAllowed(), false);
});

test('a scope that is withdrawn is refused, also where something is open; granting it again gives it back', async () => {
  const open = async () =>
    running.access.authenticate({ headers: { authorization: `Bearer ${token}` } });
  const caller = await open();
  const names = caller.scopes.map(({ name }) => name);
  const [scope] = names;
  assert.ok(scope);
  assert.equal(await caller.stillAllowed([scope]), true);
  const before = await running.access.getOrganisation('0192:310000019');
  assert.ok(before);
  const grantedScopes = before.grantedScopes.filter((name) => name !== scope);
  await running.access.putOrganisation(before.id, { ...before, grantedScopes });
  const left = names.filter((name) => name !== scope);
  assert.deepEqual(
    (await open()).scopes.map(({ name }) => name),
    left,
  );
  assert.equal(await caller.stillAllowed([scope]), false);
  assert.equal(await caller.stillAllowed(), true);
  await running.access.putOrganisation(before.id, before);
  assert.equal(await caller.stillAllowed([scope]), true);
  assert.equal((await open()).scopes.length, names.length);
});

test('an open read ends when the key of its token is withdrawn', async () => {
  const caller = await running.access.authenticate({
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(await caller.stillAllowed(), true);
  await rotateKeys({
    folder: join(running.dataFolder, 'keys'),
    purpose: 'customs-token',
    now: running.clock(),
    keep: 0,
    lead: 0,
  });
  await running.access.reloadKeys();
  assert.equal(await caller.stillAllowed(), false);
});

test('after a rotation old tokens are accepted until they expire, and the new key is published before it signs', async () => {
  const kids = () => running.access.getCustomsKeys().keys.map(({ kid }) => kid);
  const kidOf = (jwt: string) =>
    JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid;
  const [old] = kids();
  const folder = join(running.dataFolder, 'keys');
  const rotate = () =>
    rotateKeys({ folder, purpose: 'customs-token', now: running.clock(), keep: 970 });
  const listed = await rotate();
  assert.deepEqual(
    listed.map(({ state }) => state),
    ['signing', 'upcoming'],
  );
  assert.doesNotMatch(JSON.stringify(listed), /"d"|privateKey/);
  await running.access.reloadKeys();
  assert.equal(kids().length, 2);
  assert.equal(kidOf(await getCustomsToken(running, 'carrier')), old);
  running.clock.moveOn(290);
  const last = await getCustomsToken(running, 'carrier');
  assert.equal(kidOf(last), old);
  running.clock.moveOn(11);
  assert.notEqual(kidOf(await getCustomsToken(running, 'carrier')), old);
  running.clock.moveOn(950);
  assert.equal(await statusOf(last), 200);
  assert.equal(kids().length, 2);
  running.clock.moveOn(30);
  assert.equal(kids().length, 1);
  assert.ok(!kids().includes(String(old)));
});

test('the tokens of a withdrawn key are refused at once', async () => {
  assert.equal(await statusOf(token), 200);
  await rotateKeys({
    folder: join(running.dataFolder, 'keys'),
    purpose: 'customs-token',
    now: running.clock(),
    keep: 0,
    lead: 0,
  });
  await running.access.reloadKeys();
  assert.equal(await statusOf(token), 401);
  assert.equal(await statusOf(await getCustomsToken(running, 'carrier')), 200);
});

test('a token without the scope of an operation gets a response that names it', async () => {
  const response = await call(running, token, '/api/authority/v1/organisations/x');
  assert.equal(response.status, 403);
  assert.equal(
    response.headers.get('www-authenticate'),
    'Bearer error="insufficient_scope", scope="customs:authority/registry"',
  );
});
