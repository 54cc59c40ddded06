// Writers present while something is killed again and again.
import { once } from 'node:events';
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { startWriters } from './writers.js';

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Kills a process at once, and waits until it has ended. */
export async function killNow(child) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Has 32 writers present on one server while `disturb` is called again and again, at random times.
 *
 * @returns the writers' account of what was answered
 */
export async function presentWhile({ port, provider, houses, times, tell, disturb }) {
  const tokens = await exchangeTokens(provider, port);
  const writers = startWriters({
    ports: [port],
    tokens,
    writers: 32,
    housesPerEns: HOUSES_PER_ENS,
    houses,
  });
  for (let time = 1; time <= times; time++) {
    await pause(300 + Math.random() * 900);
    await disturb();
    const { acknowledged, unanswered } = writers.account;
    tell(
      `killed ${time} of ${times}; ${acknowledged.length} acknowledged, ${unanswered} unanswered`,
    );
  }
  await pause(500);
  const account = await writers.stop();
  tell(
    `${account.acknowledged.length} acknowledged, of which ${account.settled} by their requestId`,
  );
  return account;
}
