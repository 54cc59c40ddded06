// Long work leaves turns of the event loop to others, however many such works there are at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.js';

test('one piece of work is resumed in each turn of the event loop', async () => {
  let loopTurns = 0;
  let done = false;
  const countTurn = () => {
    loopTurns++;
    if (!done) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const resumedIn: number[] = [];
  const work = async () => {
    const turns = new Turns();
    for (let step = 0; step < 3; step++) {
      await turns.next();
      resumedIn.push(loopTurns);
    }
  };
  await Promise.all([1, 2, 3, 4].map(work));
  done = true;
  assert.equal(resumedIn.length, 12);
  assert.equal(new Set(resumedIn).size, 12, `resumed in the turns ${resumedIn}`);
});

test('the work of one owner does not wait for all the work of another', async () => {
  const order: string[] = [];
  const work = async (owner: number, name: string) => {
    await new Turns(owner).next();
    order.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 50 }, () => work(1, 'many')),
    work(2, 'few'),
    work(2, 'few'),
    work(3, 'one'),
  ]);
  assert.deepEqual(order.slice(0, 6), ['many', 'few', 'one', 'many', 'few', 'many']);
  assert.equal(order.length, 53);
});

test('a long text has a slice of its own, and a short one none', () => {
  const turns = new Turns();
  assert.equal(turns.isOverBefore(1000), false);
  assert.equal(turns.isOverBefore(100_000), true);
});

test('a slice is over after some milliseconds, and a new one begins after the turn', async () => {
  const turns = new Turns();
  assert.equal(turns.over, false);
  const start = performance.now();
  while (!turns.over) assert(performance.now() - start < 5000, 'the slice does not end');
  await turns.next();
  assert.equal(turns.over, false);
});
