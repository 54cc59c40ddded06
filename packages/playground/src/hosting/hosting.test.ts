// A hosted playground: everybody has a space of their own, which is kept, limited and reset, and nobody sees another's.
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Landfall } from '../../../client/dist/index.js';
import { until } from '../../../service/dist/testing/until.js';
import { clientOptions } from '../client-options.js';
import {
  connectPlayground,
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../index.js';
import { parcel } from '../testing/client-case.js';

/** Every route of every server of this process, by method and path. */
const routes = new Map<string, { method: string; path: string }>();
subscribe('fastify.initialization', (message) => {
  // The cast is true because Fastify gives this channel each of its servers.
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      if (name !== 'HEAD') routes.set(`${name} ${url}`, { method: name, path: url });
    }
  });
});

const controlSecret = 'secret-of-the-operator';
const operator = { authorization: `Bearer ${controlSecret}` };
const MAX_SPACES = 3;
const MAX_OF_ADDRESS = 2;

let data: string;
let playground: Playground;
before(async () => {
  data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  playground = await start();
});
after(async () => {
  await playground.close();
  await rm(data, { recursive: true });
});

afterEach(async () => {
  // Each test has all spaces to itself.
  for (const { name } of playground.hosting?.list() ?? []) await playground.hosting?.remove(name);
});

function start(options: PlaygroundOptions = {}): Promise<Playground> {
  return startPlayground({
    data,
    controlSecret,
    logLevel: 'silent',
    maxSpaces: MAX_SPACES,
    hosted: { spacesPerAddress: MAX_OF_ADDRESS, requestsPerMinute: 100_000 },
    trustedProxies: '1',
    ...options,
  });
}

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> };

async function send(path: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const response = await fetch(`${playground.baseUrl}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}

/** Signs up from an address of its own, as a proxy reports it. */
async function signUp(organisation: string, address = `192.0.2.${Math.ceil(Math.random() * 250)}`) {
  const headers = { 'x-forwarded-for': address };
  const signed = await send('/playground/hosting/spaces', {
    method: 'POST',
    body: { organisation },
    headers,
  });
  assert.equal(signed.status, 201, signed.text);
  const [cookie = ''] = (signed.headers.get('set-cookie') ?? '').split(';');
  const { name, accessCode, credentials, baseUrl } = signed.body;
  const bearer = { authorization: `Bearer ${accessCode}` };
  const client = () => new Landfall(clientOptions(credentials));
  const path = new URL(baseUrl).pathname;
  return { name, accessCode, credentials, baseUrl, path, cookie, bearer, client };
}

type SignedUp = Awaited<ReturnType<typeof signUp>>;

async function remove({ bearer }: SignedUp): Promise<void> {
  const { status } = await send('/playground/hosting/space', { method: 'DELETE', headers: bearer });
  assert.equal(status, 204);
}

/** Signs in to the console of a space as an identity; returns all of its cookies. */
async function openConsole({ cookie }: SignedUp, identity: string): Promise<string> {
  const signedIn = await send('/playground/sign-in', {
    method: 'POST',
    body: { identity },
    headers: { cookie },
  });
  assert.equal(signedIn.status, 204, signedIn.text);
  return `${cookie}; ${(signedIn.headers.get('set-cookie') ?? '').split(';')[0]}`;
}

test('whoever signs up gets a space, its credentials, its console and its control', async () => {
  const space = await signUp('Nordic Freight & Søn');
  await space.client().presentHouseConsignment(parcel);
  assert.equal((await space.client().readRoutingSignals()).entries.length, 1);

  const { body: own } = await send('/playground/hosting/space', { headers: space.bearer });
  assert.equal(own.organisation, 'Nordic Freight & Søn');
  assert.equal(own.baseUrl, space.baseUrl);
  assert.equal(own.accessCode, undefined);
  assert(new Date(own.nextReset) > new Date() && new Date(own.deletedAt) > new Date(own.nextReset));

  // The access code controls it over HTTP, as the control secret does a whole playground.
  const remote = await connectPlayground({ url: space.baseUrl, controlSecret: space.accessCode });
  assert.deepEqual(
    remote.identities.find(({ name }) => name === 'own'),
    space.credentials,
  );
  await remote.verify({ operation: 'presentHouseConsignment', identity: 'own', times: 1 });
  await remote.reset();
  assert.equal((await space.client().readRoutingSignals()).entries.length, 0);

  const cookie = await openConsole(space, 'own');
  const session = await send('/console/session', { headers: { cookie } });
  assert.equal(session.body.organisation, '0192:310000116');
  const configuration = async (headers: Record<string, string>) =>
    (await send('/console/configuration', { headers })).body;
  assert.deepEqual(await configuration({ cookie }), {
    signIn: 'identity',
    timeZone: 'Europe/Oslo',
    routingResults: 'standard',
    space: space.name,
  });
  assert.deepEqual(await configuration({}), {
    signIn: 'space',
    timeZone: 'Europe/Oslo',
    routingResults: 'standard',
  });

  // Its console has no address of its own, however that is written.
  for (const path of ['/console/', '/%63onsole/', '/c%6Fnsole/configuration']) {
    assert.equal((await send(`${space.path}${path}`)).status, 404, path);
  }

  // The access code opens it again in another browser.
  const again = await send('/playground/hosting/session', {
    method: 'POST',
    body: { accessCode: ` ${space.accessCode} ` },
  });
  assert.equal(again.status, 200);
  assert.match(again.headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Strict$/);
  assert.equal(again.headers.get('set-cookie')?.split(';')[0], space.cookie);
  const out = await send('/playground/hosting/session', { method: 'DELETE' });
  assert.match(out.headers.get('set-cookie') ?? '', /landfall-space=; Path=\/; Max-Age=0/);
  await remove(space);
  assert.equal((await send('/playground/hosting/space', { headers: space.bearer })).status, 401);
  assert.equal((await send(`${space.path}/livez`)).status, 404);
  await assert.rejects(access(join(data, 'hosted', space.name)));
});

test('on no address does a credential of another space have an effect, and on none does it show anything', async () => {
  const marker = 'Marker of the victim';
  const victim = await signUp(marker);
  const other = await signUp('Other');
  const otherCookie = await openConsole(other, 'authority');
  const victimCookie = await openConsole(victim, 'authority');
  const tokenOf = async (space: SignedUp, identity: string) => {
    let authorization = '';
    const remote = await connectPlayground({ url: space.baseUrl, controlSecret: space.accessCode });
    const landfall = new Landfall({
      ...remote.credentials(identity),
      fetch: (address, init) => {
        authorization = new Headers(init?.headers).get('authorization') ?? authorization;
        return fetch(address, init);
      },
    });
    await (identity === 'authority' ? landfall.listOrganisations() : landfall.routingSignals());
    return { authorization };
  };
  const credentials: Record<string, (space: SignedUp) => Promise<Record<string, string>>> = {
    'access code': async ({ bearer }) => bearer,
    'access code as a password': async ({ accessCode }) => ({
      authorization: `Basic ${Buffer.from(`x:${accessCode}`).toString('base64')}`,
    }),
    'cookies of the browser': async (space) => ({
      cookie: space === victim ? victimCookie : otherCookie,
    }),
    'token of a carrier': (space) => tokenOf(space, 'carrier'),
    'token of the authority': (space) => tokenOf(space, 'authority'),
  };
  await victim.client().presentHouseConsignment(parcel);
  const remote = await connectPlayground({ url: victim.baseUrl, controlSecret: victim.accessCode });
  const read = async () => ({
    clock: { ...(await remote.clock()), time: '' },
    scenarios: await remote.scenarios(),
    presented: (await remote.dataset({ presented: true })).entries,
    identities: (await send(`${victim.path}/playground/identities`, { headers: victim.bearer }))
      .body,
    organisations: await new Landfall(remote.credentials('authority')).listOrganisations(),
  });
  await remote.addScenario({ kind: 'lost-response', identity: 'courier' });
  const before = await read();
  // Of the playground itself are those of hosting, and the pages.
  const ofSpaces = [...routes.values()].filter(
    ({ path }) =>
      !/^\/(?:spaces|playground\/(?:hosting|spaces))\b/.test(path) && !path.includes('*'),
  );
  assert(ofSpaces.length > 80, `${ofSpaces.length} routes`);
  const accepted = new Map(Object.keys(credentials).map((kind) => [kind, 0]));
  for (const [kind, make] of Object.entries(credentials)) {
    const [own, foreign] = [await make(victim), await make(other)];
    for (const { method, path } of ofSpaces) {
      const url = `${victim.path}${path.replaceAll(/:\w+/g, 'own')}`;
      const isAnswered = /verifications|\/idp/.test(path);
      const body = method === 'GET' || method === 'DELETE' || isAnswered ? undefined : {};
      const sent = { method, ...(body && { body }) };
      // Streams would wait for entries.
      const accept = { accept: 'application/json' };
      const without = await send(url, { ...sent, headers: accept });
      const { status, text } = await send(url, { ...sent, headers: { ...accept, ...foreign } });
      const where = `${method} ${path} with ${kind}: ${status} ${text.slice(0, 200)}`;
      assert(status === without.status || status === 401 || status === 403, where);
      assert(!text.includes(marker), where);
      if (method !== 'GET') continue;
      const mine = await send(url, { headers: { ...accept, ...own } });
      if (mine.status < 300 && status >= 400) accepted.set(kind, (accepted.get(kind) ?? 0) + 1);
    }
  }
  // The same requests with credentials of the space itself are accepted, so that those above could have been.
  assert((accepted.get('access code') ?? 0) > 6, JSON.stringify([...accepted]));
  assert((accepted.get('access code as a password') ?? 0) > 6);
  assert((accepted.get('token of a carrier') ?? 0) > 1);
  assert((accepted.get('token of the authority') ?? 0) > 3);
  // A cookie opens only the space that it names: at the address of another one it is of no use, to its owner neither.
  assert.equal(accepted.get('cookies of the browser'), 0);
  const { text } = await send('/playground/credentials', { headers: { cookie: victimCookie } });
  assert(text.includes(victim.baseUrl) && !text.includes(other.baseUrl));
  const swapped = `${other.cookie}; ${victimCookie.split('; ')[1]}`;
  assert.equal((await send('/console/session', { headers: { cookie: swapped } })).status, 204);
  assert.deepEqual(await read(), before);
  await Promise.all([remove(victim), remove(other)]);
});

test('only the operator lists and removes spaces, and sees no access code', async () => {
  const space = await signUp('Listed', '198.51.100.7');
  for (const headers of [{}, space.bearer, { cookie: space.cookie }]) {
    for (const [method, path] of [
      ['GET', '/playground/spaces'],
      ['DELETE', `/playground/spaces/${space.name}`],
      ['GET', '/playground/credentials'],
    ] as const) {
      const isOwn = 'cookie' in headers && path === '/playground/credentials';
      assert.equal((await send(path, { method, headers })).status, isOwn ? 200 : 401, path);
    }
  }
  const { body, text } = await send('/playground/spaces', { headers: operator });
  const [listed] = body.spaces;
  assert.equal(listed.organisation, 'Listed');
  assert.equal(listed.address, '198.51.100.7');
  assert(!text.includes(space.accessCode.split('.')[1] ?? ''));
  const deletion = { method: 'DELETE', headers: operator };
  assert.equal((await send(`/playground/spaces/${space.name}`, deletion)).status, 204);
  assert.equal((await send(`/playground/spaces/${space.name}`, deletion)).status, 404);
  assert.equal(
    (await send(`${space.path}/playground/clock`, { headers: space.bearer })).status,
    404,
  );
  await assert.rejects(playground.space(), { code: 'SPACES_BY_SIGN_UP' });
});

test('names are checked, pages of other sites refused, and wrong access codes open nothing', async () => {
  const body = { organisation: 'X' };
  const path = '/playground/hosting/spaces';
  for (const organisation of [
    '',
    ' ',
    '\u0000',
    '<b>x</b>',
    'a\nb',
    '\u202Eabc',
    'x'.repeat(61),
    5,
    null,
  ]) {
    const { status, body: problem } = await send(path, { method: 'POST', body: { organisation } });
    assert.equal(status, 400, String(organisation));
    assert.equal(problem.validationErrors[0].field, 'organisation');
  }
  for (const headers of [{ origin: 'https://example.com' }, { 'sec-fetch-site': 'cross-site' }]) {
    assert.equal((await send(path, { method: 'POST', body, headers })).status, 403);
  }
  const space = await signUp('Codes');
  const [, secret = ''] = space.accessCode.split('.');
  for (const accessCode of [
    `${space.name}.${'A'.repeat(43)}`,
    `space-000000000000.${secret}`,
    `${space.name}.`,
    secret,
    controlSecret,
    '__proto__.x',
    'x'.repeat(200),
  ]) {
    assert.equal(
      (await send('/playground/hosting/session', { method: 'POST', body: { accessCode } })).status,
      403,
    );
    const headers = { authorization: `Bearer ${accessCode}` };
    assert.equal(
      (await send(`${space.path}/playground/clock`, { headers })).status,
      401,
      accessCode,
    );
    assert.equal((await send('/playground/hosting/space', { headers })).status, 401);
  }
  await remove(space);
});

test('an address gets as many spaces as it may have, and signs up only so often; all are a limited number', async () => {
  const address = '203.0.113.9';
  const refused = async (from: string, detail: RegExp) => {
    const headers = { 'x-forwarded-for': from };
    const { status, body } = await send('/playground/hosting/spaces', {
      method: 'POST',
      body: { organisation: 'X' },
      headers,
    });
    assert.equal(status, 429);
    assert.match(body.detail, detail);
  };
  const own: SignedUp[] = [];
  for (let index = 0; index < MAX_OF_ADDRESS; index++) own.push(await signUp('Own', address));
  await refused(address, /has 2 spaces already/);
  while (playground.hosting && playground.hosting.list().length < MAX_SPACES)
    own.push(await signUp('Other'));
  await refused('203.0.113.10', /All spaces .* are taken/);
  assert.equal((await send('/playground/hosting')).body.limits.isFull, true);
  for (const space of own) await remove(space);
  for (let index = MAX_OF_ADDRESS; index < MAX_OF_ADDRESS * 4; index++)
    await remove(await signUp('Own', address));
  await refused(address, /signed up too often/);
});

test('a space that is deleted while it is made is gone, also after a restart', async () => {
  const statuses = new Set<number>();
  for (const wait of [0, 100, 300, 600]) {
    const signing = send('/playground/hosting/spaces', {
      method: 'POST',
      body: { organisation: 'In a hurry' },
      headers: { 'x-forwarded-for': `192.0.2.${251 + statuses.size}` },
    });
    const named = () => playground.hosting?.list()[0]?.name;
    await until(() => named() !== undefined);
    await delay(wait);
    await playground.hosting?.remove(named() ?? '');
    const { status, text } = await signing;
    assert([201, 404].includes(status), `${status} ${text}`);
    statuses.add(status);
    assert.deepEqual(playground.hosting?.list(), []);
  }
  assert(statuses.has(404), [...statuses].join());
  await playground.close();
  playground = await start();
  assert.deepEqual(playground.hosting?.list(), []);
});

test('after a restart a space has its owner, access code and keys, and the goods of the start', async () => {
  const space = await signUp('Kept');
  await space.client().presentHouseConsignment(parcel);
  const port = playground.port;
  await playground.close();
  playground = await start({ port });
  assert.equal(playground.hosting?.list()[0]?.active, false);
  // The first requests wait until it is made.
  const [first, second] = await Promise.all([
    space.client().readRoutingSignals(),
    send(`${space.path}/playground/credentials`, { headers: space.bearer }),
  ]);
  assert.equal(first.entries.length, 0);
  assert.deepEqual(
    second.body.identities.find(({ name }: { name: string }) => name === 'own'),
    space.credentials,
  );
  await space.client().presentHouseConsignment(parcel);
  await remove(space);
});

test('every night what was used is reset, what was not takes no memory, and what nobody uses for long is deleted', async () => {
  const { hosting } = playground;
  assert(hosting);
  const [used, unused] = [await signUp('Used'), await signUp('Unused')];
  await used.client().presentHouseConsignment(parcel);
  const activeOf = ({ name }: SignedUp) =>
    hosting.list().find((each) => each.name === name)?.active;
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000);
  await hosting.maintain();
  assert.equal((await used.client().readRoutingSignals()).entries.length, 1);
  await hosting.maintain(dayAfter(1));
  assert.equal((await used.client().readRoutingSignals()).entries.length, 0);
  // Not again within the same day.
  await used.client().presentHouseConsignment(parcel);
  await hosting.maintain(dayAfter(1));
  assert.equal((await used.client().readRoutingSignals()).entries.length, 1);
  await hosting.maintain(dayAfter(2));
  await hosting.maintain(dayAfter(3));
  assert.equal(activeOf(unused), false);
  assert.equal((await send(`${unused.path}/livez`)).status, 200);
  assert.equal(activeOf(unused), true);
  await hosting.maintain(dayAfter(31));
  assert.deepEqual(hosting.list(), []);
  assert.equal((await send(`${used.path}/livez`)).status, 404);
});

test('a space that is full takes no more data until it is reset, and others go on', async () => {
  await playground.close();
  playground = await start({ hosted: { spaceSize: 10, requestsPerMinute: 100_000 } });
  const [full, other] = [await signUp('Full'), await signUp('Other')];
  const remote = await connectPlayground({ url: full.baseUrl, controlSecret: full.accessCode });
  const authority = new Landfall(remote.credentials('authority'));
  const fill = async (round: number) => {
    const mrn = `26NO0000000000${String(round).padStart(4, '0')}`;
    const declared = { customsOfficeOfFirstEntry: 'NO351001', declarant: '0192:310000019' };
    const goods = Array.from({ length: 1500 }, (_, index) => ({
      mrn,
      houseConsignment: {
        transportDocumentHouseLevel: {
          documentNumber: `F${round}-${index}`,
          type: 'N740' as const,
        },
      },
    }));
    const lines = [{ mrn, ...declared, houseConsignments: [] }, ...goods];
    const results = await (await authority.postEntrySummaryDeclarations(lines)).toArray();
    assert.equal(results.at(-1)?.status, 'REGISTERED');
  };
  for (let round = 0; round < 12; round++) {
    await fill(round);
    await playground.hosting?.maintain();
    if ((playground.hosting?.list()[0]?.bytes ?? 0) > 10 * 1024 * 1024) break;
  }
  await assert.rejects(fill(99), /more than 10 MB of data: reset it/);
  await other.client().presentHouseConsignment(parcel);
  assert.equal((await full.client().readRoutingSignals()).entries.length, 0);
  await remote.reset();
  await fill(100);
  await playground.hosting?.maintain();
  assert((playground.hosting?.list()[0]?.bytes ?? 0) > 0);
  await Promise.all([remove(full), remove(other)]);
});

test('a space has its number of requests, and others go on', async () => {
  await playground.close();
  playground = await start({ hosted: { requestsPerMinute: 60 } });
  const [busy, other] = [await signUp('Busy'), await signUp('Other')];
  const statuses = new Set<number>();
  let refusal = await send(`${busy.path}/livez`);
  for (let count = 0; count < 200 && refusal.status === 200; count++) {
    refusal = await send(`${busy.path}/livez`);
    statuses.add(refusal.status);
  }
  assert.deepEqual([...statuses], [200, 429]);
  assert.match(refusal.body.detail, /60 requests a minute/);
  assert.equal(refusal.headers.get('retry-after'), '1');
  assert.equal((await send(`${other.path}/livez`)).status, 200);
  await Promise.all([remove(busy), remove(other)]);
});
