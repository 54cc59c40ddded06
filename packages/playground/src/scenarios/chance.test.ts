// `after`, `percent`, `seed` and `jitter`: which requests a scenario affects, and the same ones with the same seed.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { Landfall } from '../../../client/dist/index.js';
import { startPlayground } from '../index.js';
import { addJitter } from './chance.js';

const playground = await startPlayground({ rateLimit: 0 });
after(() => playground.close());
beforeEach(() => playground.reset());

const carrier = new Landfall({ ...playground.credentials('carrier'), retry: { maxAttempts: 1 } });

/** Whether each of some requests was refused. */
async function refused(count: number): Promise<boolean[]> {
  const outcomes: boolean[] = [];
  for (let request = 0; request < count; request++) {
    await carrier.routingSignals().then(
      () => outcomes.push(false),
      () => outcomes.push(true),
    );
  }
  return outcomes;
}

test('after lets requests pass, and times limits the ones that come then', async () => {
  playground.scenarios.add({ kind: 'internal-error', after: 2, times: 1 });
  assert.deepEqual(await refused(4), [false, false, true, false]);
});

test('requests that another scenario decides count for after', async () => {
  playground.scenarios.add({ kind: 'service-unavailable', times: 2 });
  playground.scenarios.add({ kind: 'internal-error', after: 2, times: 1 });
  assert.deepEqual(await refused(4), [true, true, true, false]);
});

test('with the same seed the same requests are affected, and the seed is shown', async () => {
  const first = playground.scenarios.add({ kind: 'internal-error', percent: 50 });
  assert.ok(first.seed !== undefined);
  const outcomes = await refused(24);
  assert.ok(outcomes.includes(true) && outcomes.includes(false));
  playground.scenarios.clear();
  playground.scenarios.add({ kind: 'internal-error', percent: 50, seed: first.seed });
  assert.deepEqual(await refused(24), outcomes);
});

test('jitter is within its bounds, takes every part of them, and is repeated by its seed', () => {
  const delay = { kind: 'delay', milliseconds: 100, jitter: 50 } as const;
  const lengths = Array.from({ length: 500 }, (_each, number) => addJitter(delay, 7, number));
  const values = lengths.map((each) => (each.kind === 'delay' ? each.milliseconds : 0));
  assert.ok(Math.min(...values) >= 100 && Math.min(...values) < 110);
  assert.ok(Math.max(...values) <= 150 && Math.max(...values) > 140);
  assert.deepEqual(addJitter(delay, 7, 3), lengths[3]);
});

test('delays add up', async () => {
  for (let count = 0; count < 3; count++)
    playground.scenarios.add({ kind: 'delay', milliseconds: 60 });
  const startedAt = performance.now();
  await carrier.routingSignals();
  assert.ok(performance.now() - startedAt >= 178);
  assert.deepEqual(
    playground.scenarios.list().map(({ applied }) => applied),
    [1, 1, 1],
  );
});

test('chance that makes no sense is refused', () => {
  const add = (scenario: object) => () => playground.scenarios.add(scenario as never);
  assert.throws(add({ kind: 'revoked-access', percent: 50 }), /percent/);
  assert.throws(add({ kind: 'internal-error', percent: 100 }), /percent/);
  assert.throws(add({ kind: 'internal-error', jitter: 5 }), /jitter/);
});
