// What the scenarios on PostgreSQL work on, and its end.
import { fillDatabase, startIdentityProvider } from '../bench/goods.js';
import { startServer } from '../bench/processes.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { checkPromises } from './check-promises.js';
import { makeCluster, untilReady } from './own-postgresql.js';

const HOUSES = 400_000;

/** A PostgreSQL of its own with a migrated database, a port for servers with the one after it, and an identity provider. */
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
    // The one that runs now: a scenario may have killed the first.
    made.postgresql.kill('SIGKILL');
  };
  return Object.assign(made, { database, provider, end });
}

/** The same with organisations and goods that may be presented. */
export async function prepare({ folder, tell, houses = HOUSES }) {
  const made = await prepareDatabase(folder);
  const { port, cluster, database, provider } = made;
  const keysFolder = `${folder}/keys`;
  if (houses > 0) tell(`pre-notifying ${houses} house consignments`);
  await fillDatabase(database, houses);
  /** Starts a server; two of them on two ports are one service. */
  const serve = (at = port, natsUrl = '') =>
    startServer({ port: at, basePort: port, place: cluster.url, keysFolder, provider, natsUrl });
  return Object.assign(made, { serve, houses });
}

/** Ends what `prepare` has made, and tells every broken promise. */
export async function endAndCheck({ database, end }, account) {
  const broken = await checkPromises(database, account);
  await end();
  return broken;
}
