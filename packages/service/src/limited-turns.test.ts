// Some pieces of work run at once, organisations take turns, and nothing waits for ever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LimitedTurns, NoTurnError } from './limited-turns.js';

/** Work that ends when it is told to. */
function makeWork(name: string, begun: string[]) {
  let end: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end: () => end(),
    run: () => {
      begun.push(name);
      return promise;
    },
  };
}

test('no more than the limit run, and one organisation with many does not delay another', async () => {
  const turns = new LimitedTurns(2, 60_000);
  const begun: string[] = [];
  const works = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => ({ name, ...makeWork(name, begun) }));
  const running = works.map(({ name, run }) => turns.take(name.charCodeAt(0), run));
  assert.deepEqual([begun, turns.waiting], [['a1', 'a2'], 3]);
  for (const { end } of works) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(running);
  assert.deepEqual([begun, turns.waiting], [['a1', 'a2', 'a3', 'b1', 'a4'], 0]);
});

test('work that fails gives its turn on', async () => {
  const turns = new LimitedTurns(1, 60_000);
  const failing = turns.take(1, async () => {
    throw new Error('failed');
  });
  const next = turns.take(1, async () => 'done');
  await assert.rejects(failing, /failed/);
  assert.equal(await next, 'done');
});

test('a turn that does not come is refused, and then takes no place', async () => {
  const turns = new LimitedTurns(1, 20);
  const begun: string[] = [];
  const { end, run } = makeWork('long', begun);
  const long = turns.take(1, run);
  await assert.rejects(
    turns.take(1, async () => begun.push('late')),
    NoTurnError,
  );
  end();
  await long;
  assert.equal(await turns.take(1, async () => 'next'), 'next');
  assert.deepEqual(begun, ['long']);
});
