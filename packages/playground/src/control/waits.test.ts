// Verifications that wait are limited in each space and in all, and refusals say so.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startPlayground } from '../index.js';
import { MAX_WAITS, Waits } from './waits.js';

const playground = await startPlayground();
after(() => playground.close());

const send = (baseUrl: string, expected: object) =>
  fetch(`${baseUrl}/playground/verifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'presentHouseConsignment', ...expected }),
  });

test('one more than may wait in a playground is refused; others, and those that do not wait, are not', async () => {
  await using space = await playground.space();
  const within = 60_000;
  // One that comes while the refusal is looked for, below, may be refused itself.
  const wait = async (): Promise<Response> => {
    const response = await send(playground.baseUrl, { within });
    return response.status === 429 ? wait() : response;
  };
  const waiting = Array.from({ length: MAX_WAITS }, wait);
  let refused = await send(playground.baseUrl, { within: 1 });
  for (let attempt = 0; refused.status !== 429 && attempt < 200; attempt++) {
    await delay(50);
    refused = await send(playground.baseUrl, { within: 1 });
  }
  assert.equal(refused.status, 429);
  assert.match(
    await refused.text(),
    new RegExp(`already ${MAX_WAITS} verifications that wait here`),
  );
  assert.equal((await send(playground.baseUrl, { times: 0 })).status, 200);
  assert.equal((await send(space.baseUrl, { within: 1 })).status, 412);
  await fetch(`${playground.baseUrl}/api/movement/presentation/v1/house-consignment`, {
    method: 'POST',
  });
  const ended = await Promise.all(waiting);
  assert(ended.every(({ status }) => status === 200));
  assert.equal((await send(playground.baseUrl, { within: 1 })).status, 200);
});

test('those in all are limited too, and every end gives its place back', async () => {
  const all = new Waits(2, 'in all', undefined);
  const [one, other] = [new Waits(2, 'here', all), new Waits(2, 'here', all)];
  const ends: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => ends.push(resolve));
  const waiting = [one.during(wait), other.during(wait)];
  await assert.rejects(one.during(wait), {
    status: 429,
    message: /2 verifications that wait in all/,
  });
  for (const end of ends) end();
  await Promise.all(waiting);
  await assert.rejects(
    one.during(() => Promise.reject(new Error('failed'))),
    /failed/,
  );
  await Promise.all([one.during(async () => undefined), one.during(async () => undefined)]);
});

test('the first ones of each place are admitted, however many wait elsewhere', async () => {
  const all = new Waits(2, 'in all');
  const places = Array.from({ length: 4 }, () => new Waits(10, 'here', all, 3));
  const ends: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => ends.push(resolve));
  const [greedy, ...others] = places;
  const waiting = Array.from({ length: 5 }, () => greedy?.during(wait));
  await assert.rejects(async () => greedy?.during(wait), /2 verifications that wait in all/);
  for (const other of others) {
    waiting.push(...Array.from({ length: 3 }, () => other.during(wait)));
    await assert.rejects(other.during(wait), /2 verifications that wait in all/);
  }
  for (const end of ends) end();
  await Promise.all(waiting);
});
