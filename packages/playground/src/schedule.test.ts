// Work at times of the playground's clock: what fails is reported, tried again in its order, and given up in the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInMemory } from '@landfall/service';
import { TestPlayground } from '../../service/dist/testing/playground-client.js';
import { until } from '../../service/dist/testing/until.js';
import { PlaygroundClock } from './clock.js';
import { openDataset } from './dataset/dataset-source.js';
import { Schedule } from './schedule.js';

type Work = { dueAt: number; name: string };

const clock = new PlaygroundClock();
const due = (name: string, dueAt = 0): Work => ({ dueAt, name });

/** A schedule whose work fails as often as it is said, and what was tried and reported. */
function makeSchedule(failures: Record<string, number>) {
  const tried: string[] = [];
  const reported: string[] = [];
  const schedule = new Schedule<Work>(
    clock,
    async (first) => {
      tried.push(first.name);
      const left = failures[first.name] ?? 0;
      failures[first.name] = left - 1;
      if (left > 0) throw new Error(`${first.name} failed`);
      return (waiting) => waiting.filter((each) => each !== first);
    },
    {
      report: (error) => reported.push(error instanceof Error ? error.message : String(error)),
      retryAfterMs: 5,
      maxAttempts: 3,
    },
  );
  return { schedule, tried, reported };
}

/** Waits until nothing is left to do. */
async function ended(schedule: Schedule<Work>): Promise<void> {
  const until = performance.now() + 5000;
  while (schedule.waiting.length > 0) {
    assert(performance.now() < until, 'it did not end');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('what fails is reported and tried again, before what is due later', async () => {
  const { schedule, tried, reported } = makeSchedule({ a: 2 });
  await schedule.add([due('a'), due('b', 1)]);
  await ended(schedule);
  assert.deepEqual(tried, ['a', 'a', 'a', 'b']);
  assert.deepEqual(reported, ['a failed', 'a failed']);
});

test('what always fails is given up, and what is due later is done', async () => {
  const { schedule, tried, reported } = makeSchedule({ a: 1000, c: 2 });
  await schedule.add([due('a'), due('b', 1), due('c', 2)]);
  await ended(schedule);
  assert.deepEqual(tried, ['a', 'a', 'a', 'b', 'c', 'c', 'c']);
  assert.deepEqual(reported, ['a failed', 'a failed', 'a failed', 'c failed', 'c failed']);
});

test('attempts of earlier work do not count for later work', async () => {
  const { schedule, tried } = makeSchedule({ a: 2, b: 2 });
  await schedule.add([due('a'), due('b')]);
  await ended(schedule);
  assert.deepEqual(tried, ['a', 'a', 'a', 'b', 'b', 'b']);
});

test('a decision that cannot be made is counted, and made when it can be', async () => {
  const mrn = '26NO00000000000001';
  const transportDocumentHouseLevel = { documentNumber: 'H1', type: 'N703' };
  const house = { transportDocumentHouseLevel };
  const declaration = { customsOfficeOfFirstEntry: 'NO351001', declarant: '0192:310000078' };
  const database = await openInMemory();
  const rename = (from: string, to: string) =>
    database.transact((transaction) => transaction.run(`alter table ${from} rename to ${to}`));
  const playground = await TestPlayground.start(
    database,
    {},
    {
      dataset: openDataset([
        { mrn, ...declaration, houseConsignments: [house] },
        { decision: { mrn, ...house, routing: 'TO_ENTRY', afterSeconds: 30 } },
      ]),
    },
  );
  const failures = async () => {
    const { text } = await playground.call('/metrics');
    const found = /landfall_background_failures_total\{task="playground-schedule"\} (\d+)/.exec(
      text,
    );
    return Number(found?.[1]);
  };
  const signals = async () => {
    const { body } = await playground.get('/api/movement/routing/v1/house-consignment', 'carrier');
    assert(Array.isArray(body));
    return body.length;
  };
  try {
    assert.equal(await failures(), 0);
    await playground.present('house-consignment', 'carrier', house);
    await rename('routing_decision', 'absent_for_now');
    await playground.playground.setClock({ advance: 30 });
    await until(async () => (await failures()) > 0);
    await rename('absent_for_now', 'routing_decision');
    await until(async () => (await signals()) === 1);
  } finally {
    await playground.close();
  }
});
