// Writers present while a process is killed repeatedly.
import { once } from 'node:events';
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { startWriters } from './writers.js';

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Kills a process and waits until it has exited. */
export async function killNow(child) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Runs 32 writers on one server while `disturb` is called repeatedly, at random times.
 *
 * @returns the writers' account of the responses
 */
export async function presentWhile({ port, provider, houses, times, report, disturb }) {
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
    const { acknowledged, retries } = writers.account;
    report(`killed ${time} of ${times}; ${acknowledged.length} acknowledged, ${retries} retries`);
  }
  await pause(500);
  const account = await writers.stop();
  report(
    `${account.acknowledged.length} acknowledged, ${account.settled} of them found by their requestId`,
  );
  return account;
}
