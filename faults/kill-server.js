// The server is killed again and again while writers present; PostgreSQL stays.
import { once } from 'node:events';
import {
  exchangeTokens,
  fillDatabase,
  HOUSES_PER_ENS,
  startIdentityProvider,
} from '../bench/goods.js';
import { startTarget, stopTarget } from '../bench/processes.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { checkPromises } from './check-promises.js';
import { makeCluster, untilReady } from './own-postgresql.js';
import { startWriters } from './writers.js';

const HOUSES = 400_000;
const randomTime = () => 300 + Math.random() * 900;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Makes what both scenarios on PostgreSQL work on. */
export async function prepare({ folder, tell }) {
  const port = 19_000 + (process.pid % 500) * 2;
  const cluster = makeCluster(folder, port - 1);
  const postgresql = cluster.start();
  await untilReady(cluster.url);
  const database = openPostgresql(cluster.url);
  await migrate(database);
  tell(`pre-notifying ${HOUSES} house consignments`);
  await fillDatabase(database, HOUSES);
  const provider = await startIdentityProvider();
  const serve = () =>
    startTarget('landfall', [
      String(port),
      cluster.url,
      `${folder}/keys`,
      provider.issuer,
      `http://localhost:${port}`,
    ]);
  return { port, cluster, postgresql, database, provider, serve, houses: HOUSES };
}

export async function killServer({ folder, times, tell }) {
  const { port, postgresql, database, provider, serve, houses } = await prepare({ folder, tell });
  let server = await serve();
  const tokens = await exchangeTokens(provider, port);
  const writers = startWriters({
    ports: [port],
    tokens,
    writers: 32,
    housesPerEns: HOUSES_PER_ENS,
    houses,
  });
  for (let time = 1; time <= times; time++) {
    await pause(randomTime());
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = await serve();
    tell(
      `killed ${time} of ${times}; ${writers.account.acknowledged.length} acknowledged, ${writers.account.unanswered} unanswered`,
    );
  }
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
