// The server is killed again and again while writers present; PostgreSQL stays.
import { fillDatabase, startIdentityProvider } from '../bench/goods.js';
import { startTarget, stopTarget } from '../bench/processes.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { checkPromises } from './check-promises.js';
import { makeCluster, untilReady } from './own-postgresql.js';
import { killNow, presentWhile } from './present-while.js';

const HOUSES = 400_000;

/** Makes what the scenarios on PostgreSQL work on. */
export async function prepare({ folder, tell, houses = HOUSES }) {
  const port = 19_000 + (process.pid % 500) * 2;
  const cluster = makeCluster(folder, port - 1);
  const postgresql = cluster.start();
  await untilReady(cluster.url);
  const database = openPostgresql(cluster.url);
  await migrate(database);
  tell(`pre-notifying ${houses} house consignments`);
  await fillDatabase(database, houses);
  const provider = await startIdentityProvider();
  const serve = () =>
    startTarget('landfall', [
      String(port),
      cluster.url,
      `${folder}/keys`,
      provider.issuer,
      `http://localhost:${port}`,
    ]);
  return { port, cluster, postgresql, database, provider, serve, houses };
}

export async function killServer({ folder, times, tell }) {
  const made = await prepare({ folder, tell });
  let server = await made.serve();
  const disturb = async () => {
    await killNow(server);
    server = await made.serve();
  };
  const account = await presentWhile({ ...made, times, tell, disturb });
  await stopTarget(server);
  return endAndCheck(made, account);
}

/** Ends what `prepare` has made, and tells every broken promise. */
export async function endAndCheck({ database, provider, postgresql }, account) {
  const broken = await checkPromises(database, account);
  await database.close();
  provider.stop();
  postgresql.kill('SIGKILL');
  return broken;
}
