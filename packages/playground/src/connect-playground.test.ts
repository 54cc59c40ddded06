// A program that controls a playground elsewhere can do what the program that started it can, and gets its reasons.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Landfall } from '../../client/dist/index.js';
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
