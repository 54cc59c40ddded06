// While a reset works, no request does, however many resets and requests come at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import fastify from 'fastify';
import { OpenRequests } from './open-requests.js';

test('a request that waited for one reset waits for the next one too', async () => {
  const app = fastify();
  const requests = new OpenRequests();
  requests.follow(app);
  let resetting = 0;
  const during: number[] = [];
  app.post('/present', async () => {
    during.push(resetting);
    return '';
  });
  await app.ready();
  let end: () => void = () => undefined;
  const work = async () => {
    resetting++;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    resetting--;
  };
  const first = requests.pauseFor(work);
  while (resetting === 0) await later();
  const second = requests.pauseFor(work);
  const presented = app.inject({ method: 'POST', url: '/present' });
  await later();
  end();
  await first;
  while (resetting === 0) await later();
  for (let turn = 0; turn < 20; turn++) await later();
  assert.deepEqual(during, []);
  end();
  await second;
  assert.equal((await presented).statusCode, 200);
  assert.deepEqual(during, [0]);
});
