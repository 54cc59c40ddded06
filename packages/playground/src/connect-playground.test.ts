// A program that controls a playground elsewhere can do what the program that started it can, and gets its reasons.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { type ControlResultName, controlResults } from '@landfall/contract';
import { Landfall } from '../../client/dist/index.js';
import { oddSamplesOf, sampleOf } from '../../contract/dist/testing/sample-of.js';
import { ConnectedPlayground, RemotePlayground } from './connect-playground.js';
import { connectPlayground, startPlayground } from './index.js';
import { parcel } from './testing/client-case.js';

const controlSecret = 'a-secret-of-this-test';
const playground = await startPlayground({ controlSecret });
after(() => playground.close());
const { baseUrl: url } = playground;

test('everything is controlled, in the playground and in a space', async () => {
  const connected = await connectPlayground({ url: `${url}/`, controlSecret });
  await using space = await connected.space('far');
  assert.equal(space.baseUrl, `${url}/spaces/far`);
  for (const parts of [connected, space]) {
    const landfall = () => new Landfall(parts.credentials('carrier'));
    await parts.addScenario({ kind: 'lost-response', times: 1 });
    await landfall().presentHouseConsignment(parcel);
    const [scenario] = await parts.scenarios();
    assert.equal(scenario?.applied, 1);
    await parts.clearScenarios();
    await parts.verify({ operation: 'presentHouseConsignment', times: 1, within: 1000 });
    await assert.rejects(parts.verify({ identity: 'carrier', times: 0 }), {
      code: 'PLAYGROUND_CONTROL',
      status: 412,
      message: /expected exactly 0 requests/,
    });
    assert((await parts.requests()).length > 1);
    await parts.clearRequests();
    assert.deepEqual(await parts.requests(), []);
    const time = '2031-01-01T00:00:00.000Z';
    assert.deepEqual(await parts.setClock({ time, running: false }), { time, running: false });
    assert.deepEqual(await parts.clock(), { time, running: false });
    assert.equal((await parts.dataset({ presented: true })).entries.length, 1);
    await parts.putIdentity({
      ...{ name: 'agent', kind: 'domestic', organisation: '0192:310000086' },
      ...{ organisationName: 'Agent', scopes: ['movement/entry'], granted: ['movement/entry'] },
    });
    await new Landfall(parts.credentials('agent')).testAuth();
    await parts.removeIdentity('agent');
    assert.throws(() => parts.credentials('agent'), { code: 'UNKNOWN_IDENTITY' });
    await parts.reset();
    assert.equal((await parts.dataset({ presented: true })).entries.length, 0);
  }
  await connected.snapshot('empty');
  await connected.reset('empty');
  await space.close();
  await space.close();
  assert.deepEqual(playground.spaces(), []);
});

test('the secret goes to no address that a response names', async () => {
  const received: string[] = [];
  const listenAt = async (name: string, respond: (path: string) => object) => {
    const server = createServer((request, response) => {
      received.push(`${name} ${request.url} ${request.headers.authorization}`);
      const result = request.method === 'DELETE' ? undefined : respond(request.url ?? '');
      response.end(JSON.stringify(result));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.close().closeAllConnections());
    // The cast is true because the server listens on a port, not on a pipe.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const other = await listenAt('other', () => ({}));
  const address = await listenAt('own', () => ({
    ...{ name: 'a', baseUrl: `${other}/spaces/a`, idpUrl: `${other}/idp`, identities: [] },
    ...{ time: '2031-01-01T00:00:00.000Z', running: false },
  }));
  const connected = await connectPlayground({ url: `${address}/`, controlSecret });
  const space = await connected.space();
  await space.clock();
  await space.close();
  const paths = ['/playground/credentials', '/playground/spaces', '/spaces/a/playground/clock'];
  assert.deepEqual(
    received,
    [...paths, '/playground/spaces/a'].map((path) => `own ${path} Bearer ${controlSecret}`),
  );
});

test('refusals have the reason and the status, and never the secret', async () => {
  const refused = (given: string | undefined) =>
    connectPlayground({ url, ...(given !== undefined && { controlSecret: given }) });
  for (const given of [undefined, 'another-secret-of-this-test']) {
    await assert.rejects(refused(given), (error: Error & { status: number }) => {
      assert.equal(error.status, 401);
      assert.match(error.message, /controlSecret/);
      assert(!error.message.includes(given ?? controlSecret));
      return true;
    });
  }
  const connected = await connectPlayground({ url, controlSecret });
  await assert.rejects(connected.space('A'), { status: 400, message: /name must have 1 to 63/ });
  await assert.rejects(connected.reset('unknown'), { status: 404 });
});

test('what is no playground is named, and the secret is not sent where it redirects to', async () => {
  let received = '';
  const other = createServer((request, response) => {
    if (request.url === '/elsewhere') received = String(request.headers.authorization);
    response.writeHead(302, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  after(() => other.close());
  // The cast is true because the server listens on a port.
  const { port } = other.address() as AddressInfo;
  await assert.rejects(connectPlayground({ url: `http://127.0.0.1:${port}`, controlSecret }));
  assert.equal(received, '');
  await assert.rejects(connectPlayground({ url: `${url}/idp`, controlSecret }), { status: 404 });
});

test('the secret is not sent over http to another machine, unless that is switched on', async () => {
  const refusal = { code: 'PLAYGROUND_OPTION', message: /over http.*use https, or give allowHttp/ };
  for (const host of ['playground:8080', '10.0.0.7', 'localhost.example', '127.0.0.1.example']) {
    await assert.rejects(connectPlayground({ url: `http://${host}`, controlSecret }), refusal);
  }
  // Reached by another name than that of this machine: nothing resolves it, so that it was tried shows.
  const url = 'http://playground.invalid:8080';
  const tried = { code: /^(?:ENOTFOUND|EAI_AGAIN)$/ };
  await assert.rejects(connectPlayground({ url, controlSecret, allowHttp: true }), tried);
  await assert.rejects(connectPlayground({ url }), tried);
});

test('whatever else a server returns is refused, in a sentence that names what was called', async () => {
  let text = '';
  const server = createServer((request, response) => {
    request.resume();
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  // The cast is true because the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const identity = { kind: 'domestic', organisation: '0192:310000086', organisationName: 'Agent' };
  const agent = { ...identity, name: 'agent', scopes: [], granted: [] } as const;
  const calls: Record<
    string,
    [ControlResultName | 'nothing', (connected: ConnectedPlayground) => Promise<unknown>]
  > = {
    putIdentity: ['identity', (connected) => connected.putIdentity({ ...agent, kind: 'domestic' })],
    removeIdentity: ['nothing', (connected) => connected.removeIdentity('agent')],
    dataset: ['page of the dataset', (connected) => connected.dataset()],
    clock: ['clock', (connected) => connected.clock()],
    setClock: ['clock', (connected) => connected.setClock({ running: false })],
    reset: ['nothing', (connected) => connected.reset()],
    snapshot: ['snapshot', (connected) => connected.snapshot('a')],
    addScenario: ['scenario', (connected) => connected.addScenario({ kind: 'lost-response' })],
    scenarios: ['scenarios', (connected) => connected.scenarios()],
    clearScenarios: ['nothing', (connected) => connected.clearScenarios()],
    requests: ['requests', (connected) => connected.requests()],
    clearRequests: ['nothing', (connected) => connected.clearRequests()],
    verify: ['requests', (connected) => connected.verify({ times: 1 })],
    space: ['space', (connected) => connected.space()],
    connect: ['credentials', () => connectPlayground({ url: address })],
  };
  const methods = [RemotePlayground, ConnectedPlayground].flatMap(({ prototype }) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
      ['constructor', 'credentials'].includes(name) || value === undefined ? [] : name,
    ),
  );
  assert.deepEqual(new Set(Object.keys(calls)), new Set([...methods, 'connect']));
  text = JSON.stringify(sampleOf(controlResults.credentials));
  const connected = await connectPlayground({ url: address });
  for (const [name, [expected, call]] of Object.entries(calls)) {
    const schema = expected === 'nothing' ? undefined : controlResults[expected];
    text = schema === undefined ? '' : JSON.stringify(sampleOf(schema));
    await call(connected);
    const odd = schema === undefined ? [] : [...oddSamplesOf(schema)];
    for (const given of ['<html>', ...odd.map(({ value }) => JSON.stringify(value) ?? '')]) {
      text = given;
      await assert.rejects(
        call(connected),
        {
          code: 'PLAYGROUND_CONTROL',
          status: 200,
          message: /^the response to [A-Z]+ \/playground\//,
        },
        `${name}: ${given}`,
      );
    }
  }
});
