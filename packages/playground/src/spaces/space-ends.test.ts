// Names and bounds of spaces, their control addresses, and how they end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Landfall } from '../../../client/dist/index.js';
import { collectGarbage } from '../../../service/dist/testing/collect-garbage.js';
import { startPlayground } from '../index.js';
import type { Playground } from '../playground.js';

const MAX_SPACES = 3;
const time = '2031-01-01T08:00:00.000Z';

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

let playground: Playground;
let data: string;
before(async () => {
  data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  playground = await startPlayground({
    data,
    maxSpaces: MAX_SPACES,
    clock: { time, running: false },
    scenarios: [{ kind: 'lost-response', identity: 'broker' }],
  });
});
after(async () => {
  await playground.close();
  await rm(data, { recursive: true });
});

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${playground.baseUrl}/playground/spaces${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), response };
}

test('names keep a rule, are unique, and are free again after the end', async () => {
  for (const name of ['', '-a', 'a-', 'A', 'a b', 'a/b', 'a.b', '..', 'å', 'a'.repeat(64)]) {
    await assert.rejects(playground.space(name), { code: 'INVALID_SPACE_NAME' }, name);
    const { status, body } = await control('POST', '', { name });
    assert.equal(status, 400, name);
    assert.equal(body.validationErrors[0].field, 'name');
  }
  for (const name of ['a', '1', 'a'.repeat(63)]) {
    const space = await playground.space(name);
    assert.equal(space.baseUrl, `${playground.baseUrl}/spaces/${name}`);
    await assert.rejects(playground.space(name), { code: 'SPACE_EXISTS' });
    assert.equal((await control('POST', '', { name })).status, 400);
    await Promise.all([space.close(), space.close()]);
    await assert.rejects(space.reset(), { code: 'PLAYGROUND_CLOSED' });
  }
  assert.deepEqual(playground.spaces(), []);
});

test('no more than maxSpaces are made, also at once', async () => {
  const made = await Promise.allSettled(
    Array.from({ length: MAX_SPACES + 2 }, () => playground.space()),
  );
  const [refused, ...others] = made.filter(({ status }) => status === 'rejected');
  assert.equal(others.length, 1);
  assert(refused?.status === 'rejected');
  assert.equal(refused.reason.code, 'TOO_MANY_SPACES');
  assert.match(refused.reason.message, /already 3 spaces.*maxSpaces/);
  assert.equal((await control('POST', '', {})).status, 429);
  await Promise.all(playground.spaces().map((space) => space.close()));
  await (await playground.space()).close();
});

test('over HTTP a space is made, used by its address alone, listed, found by others and removed', async () => {
  const { status, body, response } = await control('POST', '', { name: 'python' });
  assert.equal(status, 201);
  assert.equal(response.headers.get('location'), '/playground/spaces/python');
  const { baseUrl, idpUrl, identities } = body;
  assert.equal(idpUrl, `${baseUrl}/idp`);
  const file = join(data, 'spaces', 'python', 'credentials', 'carrier.json');
  const written = JSON.parse(await readFile(file, 'utf8'));
  assert.deepEqual(
    written,
    identities.find(({ name }: { name: string }) => name === 'carrier'),
  );
  await access(file.replace('.json', '.p12'));
  assert.deepEqual((await control('GET', '/python')).body.identities, identities);
  const listed = (await control('GET', '')).body.spaces;
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['python'],
  );
  assert(!JSON.stringify(listed).includes('PRIVATE KEY'));
  // Every address that a space gives begins with its own.
  for (const [path, member] of [
    ['/idp/.well-known/oauth-authorization-server', 'issuer'],
    ['/openapi.json', 'servers'],
  ] as const) {
    const got = await (await fetch(`${baseUrl}${path}`)).text();
    assert(JSON.stringify(JSON.parse(got)[member]).includes('/spaces/python'), path);
  }
  const added = await fetch(`${baseUrl}/playground/scenarios`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'lost-response', times: 1 }),
  });
  assert.match(added.headers.get('location') ?? '', /^\/spaces\/python\/playground\/scenarios\//);
  assert.equal((await fetch(`${baseUrl}/playground/spaces`)).status, 404);
  assert.equal((await control('DELETE', '/python')).status, 204);
  assert.equal((await control('DELETE', '/python')).status, 404);
  const gone = await fetch(`${baseUrl}/livez`, { method: 'POST', body: 'x' });
  assert.equal(gone.status, 404);
  assert.match(await gone.text(), /no space python: it was not made, was closed, or was not used/);
  await assert.rejects(access(file));
  const paths = ['/spaces', '/spaces/', '/spaces//x', '/spaces/%70ython', '/spaces/../livez?x'];
  for (const path of paths) {
    assert.equal(
      (await fetch(`${playground.baseUrl}${path}`)).status,
      path.includes('..') ? 400 : 404,
      path,
    );
  }
});

test('a space begins with the clock, the scenarios and the planned data of the start', async () => {
  await playground.setClock({ time: '2040-01-01T00:00:00Z' });
  playground.scenarios.clear();
  await using space = await playground.space();
  assert.deepEqual(space.clock.state(), { time, running: false });
  assert.deepEqual(
    space.scenarios.list().map(({ kind }) => kind),
    ['lost-response'],
  );
  await playground.reset();
});

test('requests that wait are ended with their space, those of others are not', async () => {
  const space = await playground.space();
  await using other = await playground.space();
  const wait = (parts: Pick<Playground, 'credentials'>) => {
    const carrier = new Landfall({ ...parts.credentials('carrier'), retry: false });
    return carrier.followRouting()[Symbol.asyncIterator]().next();
  };
  const ended = wait(space);
  const goesOn = wait(other);
  const outcome = assert.rejects(ended);
  await waitUntil(() => space.requests().some(({ url }) => url.includes('/routing/')));
  await space.close();
  await outcome;
  const carrier = new Landfall(other.credentials('carrier'));
  await carrier.presentHouseConsignment(parcel);
  assert.equal((await goesOn).done, false);
});

test('a request that does not end is cut off with its space, and delays no other', async () => {
  const space = await playground.space();
  const authorization = await findAuthorization(space);
  const { hostname, port, pathname } = new URL(space.baseUrl);
  const sent = request({
    host: hostname,
    port,
    path: `${pathname}/api/movement/presentation/v1/house-consignment`,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'content-length': 1000 },
  });
  sent.write('{');
  const cut = once(sent, 'error');
  await waitUntil(() =>
    space
      .requests()
      .some(({ method, url }) => method === 'POST' && url.includes('/house-consignment')),
  );
  await Promise.all([space.close(), cut]);
  await using other = await playground.space();
  const carrier = new Landfall(other.credentials('carrier'));
  await carrier.presentHouseConsignment(parcel);
});

test('a space that nobody uses is removed, one with an open request is not', async () => {
  await using short = await startPlayground({ spaceIdleTime: 1 });
  const unused = await short.space('unused');
  const used = await short.space('used');
  const carrier = new Landfall({ ...used.credentials('carrier'), retry: false });
  const next = carrier.followRouting()[Symbol.asyncIterator]().next();
  await waitUntil(() => short.spaces().length === 1);
  await delay(1500);
  assert.deepEqual(
    short.spaces().map(({ name }) => name),
    ['used'],
  );
  await assert.rejects(unused.reset(), { code: 'PLAYGROUND_CLOSED' });
  await new Landfall(used.credentials('carrier')).presentHouseConsignment(parcel);
  assert.equal((await next).done, false);
});

test('options are checked', async () => {
  for (const [option, value] of [
    ['maxSpaces', 0],
    ['maxSpaces', 1.5],
    ['maxSpaces', 1001],
    ['maxSpaces', '5'],
    ['spaceIdleTime', Number.NaN],
    ['spaceIdleTime', 86_401],
  ] as const) {
    await assert.rejects(startPlayground({ [option]: value }), (error: Error) => {
      assert.equal(error.name, 'PlaygroundOptionError');
      assert.match(error.message, new RegExp(option));
      return true;
    });
  }
});

test('spaces that were closed leave no memory behind', async () => {
  const useOne = async () => {
    await using space = await playground.space();
    await fetch(`${space.baseUrl}/readyz`);
  };
  const heapAfter = async (count: number) => {
    for (let number = 0; number < count; number++) await useOne();
    await collectGarbage(300);
    return process.memoryUsage().heapUsed;
  };
  // What is compiled and kept once is there after so many.
  const heaps = [await heapAfter(12)];
  for (let round = 0; round < 3; round++) heaps.push(await heapAfter(8));
  // What goes on in the background may keep something for a while; what leaks grows in every round.
  const growth = heaps.slice(1).map((heap, round) => (heap - (heaps[round] ?? 0)) / 8);
  // One that is open has 8 MB.
  assert(Math.min(...growth) < 1e6, `${growth.map(Math.round)} bytes each`);
});

/** The header with a customs token of the carrier, as the client sends it. */
async function findAuthorization(space: Pick<Playground, 'credentials'>): Promise<string> {
  let authorization = '';
  const carrier = new Landfall({
    ...space.credentials('carrier'),
    fetch: (address, init) => {
      authorization = new Headers(init?.headers).get('authorization') ?? authorization;
      return fetch(address, init);
    },
  });
  await carrier.routingSignals();
  return authorization;
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (isTrue()) return;
    await delay(50);
  }
  throw new Error('it did not become true in 10 s');
}
