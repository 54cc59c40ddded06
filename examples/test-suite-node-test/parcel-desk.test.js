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

test('a released parcel is held when the authority changes its decision', async () => {
  await desk.present('NO100000002MU');
  const authority = new Landfall(playground.credentials('authority'));
  const decision = {
    mrn: '23NO00000000000002',
    transportDocumentHouseLevel: { documentNumber: 'NO100000002MU', type: 'N750' },
    routing: 'TO_CONTROL',
  };
  for await (const { status } of await authority.postRoutingDecisions([decision])) {
    assert.equal(status, 'DECIDED');
  }
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
