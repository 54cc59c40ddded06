// Tests of a client against a playground in the process of the test.
import { Landfall } from '@landfall/client';
import { startPlayground } from '@landfall/playground';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { ParcelDesk } from './parcel-desk.js';

let playground;
beforeAll(async () => {
  // On a free port, with its data in memory.
  playground = await startPlayground();
}, 60_000);
afterAll(() => playground.close());

const test = base.extend({
  // Each test has goods, a clock, scenarios and a record of its own, so all of them run at once.
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires it
  space: async ({}, use) => {
    const space = await playground.space();
    await use(space);
    await space.close();
  },
  desk: async ({ space }, use) => {
    await use(new ParcelDesk(new Landfall(space.credentials('carrier'))));
  },
});

/** What the desk sent, such as `POST house-consignment 202`, without requests for tokens and signals. */
const sentTo = (space) =>
  space
    .requests()
    .filter(({ url }) => url.startsWith('/api/movement/presentation/'))
    .map(
      ({ method, url, response }) => `${method} ${url.split('/')[5]} ${response?.status ?? 'lost'}`,
    );

describe.concurrent('a parcel desk', { timeout: 60_000 }, () => {
  test('a parcel that goes to entry is released', async ({ desk }) => {
    await desk.present('NO100000002MU');
    expect(await desk.decide('NO100000002MU')).toBe('release');
  });

  test('a parcel that goes to control is held', async ({ desk }) => {
    await desk.present('NO100000001MU');
    expect(await desk.decide('NO100000001MU')).toBe('hold');
  });

  test('a parcel that has not been presented is held', async ({ desk }) => {
    expect(await desk.decide('NO100000002MU')).toBe('hold');
  });

  test('a released parcel is held when the decision changes', async ({ space, desk }) => {
    space.scenarios.add({ kind: 'changed-decision', afterSeconds: 60 });
    await desk.present('NO100000002MU');
    expect(await desk.decide('NO100000002MU')).toBe('release');
    await space.setClock({ advance: 60 });
    expect(await desk.decide('NO100000002MU')).toBe('hold');
  });

  test('what is not pre-notified is refused', async ({ desk }) => {
    await expect(desk.present('NOT PRE-NOTIFIED')).rejects.toMatchObject({ status: 400 });
  });

  test('a token that has expired is replaced', async ({ space, desk }) => {
    await desk.present('NO100000002MU');
    // Longer than a token lasts.
    await space.setClock({ advance: 3600 });
    expect(await desk.decide('NO100000002MU')).toBe('release');
  });

  test('a parcel is presented once although the response is lost', async ({ space, desk }) => {
    space.scenarios.add({ kind: 'lost-response', times: 1 });
    await desk.present('NO100000002MU');
    // Its status says that the request was carried out, so it is not sent again.
    expect(sentTo(space)).toEqual(['POST house-consignment lost', 'GET validation-status 200']);
  });

  test('a parcel is presented again if the lost request was not carried out', async ({
    space,
    desk,
  }) => {
    space.scenarios.add({ kind: 'lost-response', committed: false, times: 1 });
    await desk.present('NO100000002MU');
    expect(sentTo(space)).toEqual([
      'POST house-consignment lost',
      'GET validation-status 404',
      'POST house-consignment 202',
    ]);
    expect(await desk.decide('NO100000002MU')).toBe('release');
  });

  test('the client waits as long as the service requests', async ({ space, desk }) => {
    space.scenarios.add({ kind: 'too-many-requests', retryAfter: 1, times: 2 });
    const startedAt = performance.now();
    await desk.present('NO100000002MU');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2000);
    expect(sentTo(space)).toEqual([
      'POST house-consignment 429',
      'POST house-consignment 429',
      'POST house-consignment 202',
    ]);
  });

  test('a parcel is held until its decision comes', async ({ space, desk }) => {
    space.scenarios.add({ kind: 'late-decision', afterSeconds: 3600 });
    await desk.present('NO100000002MU');
    expect(await desk.decide('NO100000002MU')).toBe('hold');
    await space.setClock({ advance: 3600 });
    expect(await desk.decide('NO100000002MU')).toBe('release');
  });
});
