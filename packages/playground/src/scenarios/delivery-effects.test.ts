// What the scenarios of deliveries keep, and what they count, whatever becomes of an attempt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptOutcome, Scenario } from '@landfall/contract';
import { makeDeliveries } from './delivery-effects.js';
import { ScenarioList } from './scenario-list.js';

let ids = 0;

/** Deliveries with a scenario, of which `came` has what was attempted; all have one outcome. */
function start(scenario: Scenario, outcome: AttemptOutcome = 'CONFIRMED', mayHaveArrived = true) {
  const clock = () => new Date();
  const newId = () => `id ${ids++}`;
  const scenarios = new ScenarioList({ clock, newId, identities: [], ended: () => false });
  scenarios.add(scenario);
  const deliveries = makeDeliveries(scenarios, []);
  const came: string[] = [];
  const deliver = (subscription: string) => {
    const message = { kind: 'ENTRIES', webhookId: newId(), entries: 1, body: '{}' } as const;
    const delivery = {
      subscription,
      organisation: '0192:310000019',
      clientId: 'carrier',
      message: { ...message, marker: undefined },
    };
    return deliveries.send(delivery, async (changes) => {
      const { body: _, ...sent } = changes?.message ?? delivery.message;
      came.push(sent.webhookId);
      const attempt = { ...sent, outcome, status: undefined, durationMs: 1 };
      return { attempt, mayHaveArrived, retryAfter: undefined, responseBody: undefined };
    });
  };
  return { deliver, came, applied: () => scenarios.list()[0]?.applied };
}

test('subscriptions that have ended do not keep deliveries of others from coming again', async () => {
  const { deliver, came, applied } = start({ kind: 'out-of-order-delivery' });
  for (let number = 0; number < 20; number++) await deliver(`ended ${number}`);
  await deliver('another');
  assert.equal(applied(), 21);
  await deliver('another');
  const [first, second, again] = came.slice(20);
  assert.equal(again, first);
  assert.notEqual(second, first);
  // Those that are kept for longest are given up first.
  await deliver('ended 19');
  assert.deepEqual(came.slice(-1), [came[19]]);
  await deliver('ended 0');
  assert.equal(came.filter((id) => id === came[0]).length, 1);
});

for (const kind of ['wrong-signature', 'late-delivery'] as const) {
  const scenario: Scenario =
    kind === 'late-delivery' ? { kind, secondsLate: 301, times: 1 } : { kind, times: 1 };
  test(`${kind} is not used up by an attempt that did not arrive`, async () => {
    for (const outcome of ['UNREACHABLE', 'TIMEOUT', 'ADDRESS_REFUSED'] as const) {
      const { deliver, applied } = start(scenario, outcome, false);
      await deliver('one');
      assert.equal(applied(), 0, outcome);
    }
    for (const outcome of ['REFUSED', 'TIMEOUT', 'UNREACHABLE', 'CONFIRMED'] as const) {
      const { deliver, applied } = start(scenario, outcome);
      await deliver('one');
      assert.equal(applied(), 1, outcome);
    }
  });
}
