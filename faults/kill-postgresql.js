// PostgreSQL is killed again and again while writers present; the server stays, and goes on when it is back.
import { once } from 'node:events';
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { stopTarget } from '../bench/processes.js';
import { checkPromises } from './check-promises.js';
import { prepare } from './kill-server.js';
import { untilReady } from './own-postgresql.js';
import { startWriters } from './writers.js';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function killPostgresql({ folder, times, tell }) {
  const { port, cluster, database, provider, serve, houses, ...made } = await prepare({
    folder,
    tell,
  });
  let { postgresql } = made;
  const server = await serve();
  const tokens = await exchangeTokens(provider, port);
  const writers = startWriters({
    ports: [port],
    tokens,
    writers: 32,
    housesPerEns: HOUSES_PER_ENS,
    houses,
  });
  for (let time = 1; time <= times; time++) {
    await pause(500 + Math.random() * 1000);
    const ended = once(postgresql, 'exit');
    postgresql.kill('SIGKILL');
    await ended;
    // Its children notice at their next breath; a new one may not start before.
    await pause(500);
    postgresql = cluster.start();
    await untilReady(cluster.url);
    tell(
      `killed ${time} of ${times}; ${writers.account.acknowledged.length} acknowledged, ${writers.account.unanswered} unanswered`,
    );
  }
  await pause(1000);
  const account = await writers.stop();
  await stopTarget(server);
  tell(
    `${account.acknowledged.length} acknowledged, of which ${account.settled} by their requestId`,
  );
  const broken = await checkPromises(database, account);
  await database.close();
  provider.stop();
  postgresql.kill('SIGKILL');
  return broken;
}
