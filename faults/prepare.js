// Sets up and tears down the scenarios on PostgreSQL.
import { fillDatabase, startIdentityProvider } from '../bench/goods.js';
import { startServer } from '../bench/processes.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { checkPromises } from './check-promises.js';
import { makeCluster, untilReady } from './own-postgresql.js';

/** A separate PostgreSQL with a migrated database, two consecutive ports for servers, and an identity provider. */
export async function prepareDatabase(folder) {
  const port = 19_000 + (process.pid % 500) * 2;
  const cluster = makeCluster(folder, port - 1);
  const made = { port, cluster, postgresql: cluster.start() };
  await untilReady(cluster.url);
  const database = openPostgresql(cluster.url);
  await migrate(database);
  const provider = await startIdentityProvider();
  const end = async () => {
    await database.close();
    provider.stop();
    // The current process: a scenario may have killed the first one.
    made.postgresql.kill('SIGKILL');
  };
  return Object.assign(made, { database, provider, end });
}

/** The same, with organisations and goods to present. */
export async function prepare({ folder, report, small, houses = small ? 20_000 : 400_000 }) {
  const made = await prepareDatabase(folder);
  const { port, cluster, database, provider } = made;
  const keysFolder = `${folder}/keys`;
  if (houses > 0) report(`pre-notifying ${houses} house consignments`);
  await fillDatabase(database, houses);
  /** Starts a server; servers on both ports are one service. */
  const serve = (at = port, natsUrl = '') =>
    startServer({ port: at, basePort: port, location: cluster.url, keysFolder, provider, natsUrl });
  return Object.assign(made, { serve, houses });
}

/** Tears down what `prepare` set up, and returns every broken promise. */
export async function endAndCheck({ database, end }, account) {
  const broken = await checkPromises(database, account);
  await end();
  return broken;
}
