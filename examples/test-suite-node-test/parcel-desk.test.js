// Tests of a client against a playground in the process of the test.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Landfall } from '@landfall/client';
import { startPlayground } from '@landfall/playground';
import { ParcelDesk } from './parcel-desk.js';

let playground;
let desk;

before(async () => {
  // On a free port, with its data in memory.
  playground = await startPlayground();
});
after(() => playground.close());

beforeEach(async () => {
  // Each test begins with the same data.
  await playground.reset();
  desk = new ParcelDesk(new Landfall(playground.credentials('carrier')));
});

/** What the desk sent, such as `POST house-consignment 202`, without requests for tokens and signals. */
const sent = () =>
  playground
    .requests()
    .filter(({ url }) => url.startsWith('/api/movement/presentation/'))
    .map(
      ({ method, url, response }) => `${method} ${url.split('/')[5]} ${response?.status ?? 'lost'}`,
    );

test('a parcel that goes to entry is released', async () => {
  await desk.present('NO100000002MU');
  assert.equal(await desk.decide('NO100000002MU'), 'release');
});

test('a parcel that goes to control is held', async () => {
  await desk.present('NO100000001MU');
  assert.equal(await desk.decide('NO100000001MU'), 'hold');
});

test('a parcel that has not been presented is held', async () => {
  assert.equal(await desk.decide('NO100000002MU'), 'hold');
});

test('a released parcel is held when the decision changes', async () => {
  playground.scenarios.add({ kind: 'changed-decision', afterSeconds: 60 });
  await desk.present('NO100000002MU');
  assert.equal(await desk.decide('NO100000002MU'), 'release');
  await playground.setClock({ advance: 60 });
  assert.equal(await desk.decide('NO100000002MU'), 'hold');
});

test('what is not pre-notified is refused', async () => {
  await assert.rejects(desk.present('NOT PRE-NOTIFIED'), { status: 400 });
});

test('a token that has expired is replaced', async () => {
  await desk.present('NO100000002MU');
  // Longer than a token lasts.
  await playground.setClock({ advance: 3600 });
  assert.equal(await desk.decide('NO100000002MU'), 'release');
});

test('a parcel is presented once although the response is lost', async () => {
  playground.scenarios.add({ kind: 'lost-response', times: 1 });
  await desk.present('NO100000002MU');
  // Its status says that the request was carried out, so it is not sent again.
  assert.deepEqual(sent(), ['POST house-consignment lost', 'GET validation-status 200']);
});

test('a parcel is presented again if the lost request was not carried out', async () => {
  playground.scenarios.add({ kind: 'lost-response', committed: false, times: 1 });
  await desk.present('NO100000002MU');
  assert.deepEqual(sent(), [
    'POST house-consignment lost',
    'GET validation-status 404',
    'POST house-consignment 202',
  ]);
  assert.equal(await desk.decide('NO100000002MU'), 'release');
});

test('the client waits as long as the service requests', async () => {
  playground.scenarios.add({ kind: 'too-many-requests', retryAfter: 1, times: 2 });
  const startedAt = performance.now();
  await desk.present('NO100000002MU');
  assert.ok(performance.now() - startedAt >= 2000);
  assert.deepEqual(sent(), [
    'POST house-consignment 429',
    'POST house-consignment 429',
    'POST house-consignment 202',
  ]);
});

test('a parcel is held until its decision comes', async () => {
  playground.scenarios.add({ kind: 'late-decision', afterSeconds: 3600 });
  await desk.present('NO100000002MU');
  assert.equal(await desk.decide('NO100000002MU'), 'hold');
  await playground.setClock({ advance: 3600 });
  assert.equal(await desk.decide('NO100000002MU'), 'release');
});
