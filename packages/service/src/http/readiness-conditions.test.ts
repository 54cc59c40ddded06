// Each condition is checked by itself: one that takes long says nothing about the others, and delays none of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../testing/until.js';
import { BackgroundFailures } from './background-failures.js';
import { ReadinessConditions, UnmetConditionError } from './readiness-conditions.js';

test('a condition whose check does not end delays no other', async () => {
  const failures = new BackgroundFailures({ warn: () => undefined });
  let checks = 0;
  const slow = {
    task: 'durability',
    message: 'slow',
    runbook: 'DURABILITY',
    check: () => new Promise<void>(() => undefined),
  };
  const clock = {
    task: 'clock',
    message: 'wrong',
    runbook: 'CLOCK',
    refusesRequests: true,
    check: async () => {
      checks++;
      if (checks === 1) throw new Error('nothing is known');
      if (checks === 2) return;
      throw new UnmetConditionError('the clock is wrong');
    },
  };
  const conditions = new ReadinessConditions([slow, clock], failures);
  void conditions.start();
  try {
    assert.match(String(conditions.refusal), /No check of the clock/);
    await until(() => conditions.refusal === undefined);
    assert.match(String(conditions.unmet), /No check of the durability/);
    await until(() => conditions.refusal !== undefined);
    assert.match(String(conditions.refusal), /the clock is wrong/);
  } finally {
    conditions.close();
  }
  const atEnd = checks;
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(checks, atEnd, 'it was checked after close');
});
