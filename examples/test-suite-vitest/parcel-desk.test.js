// Tests of a client against a playground in the process of the test.
import { Landfall } from '@landfall/client';
import { startPlayground } from '@landfall/playground';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ParcelDesk } from './parcel-desk.js';

let playground;
let desk;

beforeAll(async () => {
  // On a free port, with its data in memory.
  playground = await startPlayground();
}, 60_000);
afterAll(() => playground.close());

beforeEach(async () => {
  // Each test begins with the same data.
  await playground.reset();
  desk = new ParcelDesk(new Landfall(playground.credentials('carrier')));
});

test('a parcel that goes to entry is released', async () => {
  await desk.present('NO100000002MU');
  expect(await desk.decide('NO100000002MU')).toBe('release');
});

test('a parcel that goes to control is held', async () => {
  await desk.present('NO100000001MU');
  expect(await desk.decide('NO100000001MU')).toBe('hold');
});

test('a parcel that has not been presented is held', async () => {
  expect(await desk.decide('NO100000002MU')).toBe('hold');
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
    expect(status).toBe('DECIDED');
  }
  expect(await desk.decide('NO100000002MU')).toBe('hold');
});

test('what is not pre-notified is refused', async () => {
  await expect(desk.present('NOT PRE-NOTIFIED')).rejects.toMatchObject({ status: 400 });
});

test('a token that has expired is replaced', async () => {
  await desk.present('NO100000002MU');
  // Longer than a token lasts.
  await playground.setClock({ advance: 3600 });
  expect(await desk.decide('NO100000002MU')).toBe('release');
});
