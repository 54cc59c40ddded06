// How many codes a server redeems at the same time, and what happens to the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redemptions } from './redemptions.js';

test('each sign-in redeems once, few at a time, and those that would wait too long or are too many are refused', async () => {
  const redemptions = new Redemptions({ maxRunning: 2, maxWaiting: 2, maxWaitMs: 50 });
  const ends: (() => void)[] = [];
  const redeem = (state: string) =>
    redemptions.run(state, state, () => new Promise<void>((resolve) => ends.push(resolve)));
  const running = [redeem('1'), redeem('2')];
  const first = redeem('3');
  const second = assert.rejects(redeem('4'), { refusal: 'busy' });
  await assert.rejects(redeem('5'), { refusal: 'busy' });
  await assert.rejects(redeem('1'), { refusal: 'expired' });
  assert.equal(ends.length, 2);
  ends[0]?.();
  await running[0];
  await second;
  assert.equal(ends.length, 3);
  for (const end of ends) end();
  await Promise.all([...running, first]);
  const last = redeem('6');
  assert.equal(ends.length, 4);
  ends[3]?.();
  await last;
});

test('a redemption that fails lets the next one begin, and is not repeated', async () => {
  const redemptions = new Redemptions({ maxRunning: 1 });
  const fail = async () => Promise.reject(new Error('failed'));
  const failing = assert.rejects(redemptions.run('1', 'address', fail), /failed/);
  assert.equal(await redemptions.run('2', 'address', async () => 'redeemed'), 'redeemed');
  await failing;
  await assert.rejects(redemptions.run('1', 'address', fail), { refusal: 'expired' });
});

test('addresses take turns, and several that fill the places leave one to another', async () => {
  const redemptions = new Redemptions({ maxRunning: 1, maxWaiting: 6, maxOfAddress: 4 });
  const order: string[] = [];
  let end: () => void = () => undefined;
  const refused: string[] = [];
  const redeem = (state: string, address: string) =>
    redemptions
      .run(state, address, () => {
        order.push(state);
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      })
      .catch(({ refusal }: { refusal: string }) => {
        assert.equal(refusal, 'busy');
        refused.push(state);
      });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'c1'].map((state) =>
    redeem(state, state.charAt(0)),
  );
  for (let ended = 0; ended < 7; ended++) {
    await new Promise((resolve) => setImmediate(resolve));
    end();
  }
  await Promise.all(all);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'b3']);
  assert.deepEqual(refused, ['a4']);
});

test('one address has a share of the redemptions, so that others get their turn', async () => {
  const redemptions = new Redemptions({ maxRunning: 1, maxWaiting: 10, maxOfAddress: 2 });
  const ends: (() => void)[] = [];
  const redeem = (state: string, address: string) =>
    redemptions.run(state, address, () => new Promise<void>((resolve) => ends.push(resolve)));
  const own = [redeem('1', 'one'), redeem('2', 'one')];
  await assert.rejects(redeem('3', 'one'), { refusal: 'busy' });
  const other = redeem('4', 'two');
  for (const redemption of [...own, other]) {
    ends.shift()?.();
    await redemption;
  }
  // A refused sign-in was not used, and what has ended counts no longer.
  const again = redeem('3', 'one');
  ends.shift()?.();
  await again;
});
