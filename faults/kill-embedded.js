// The server is killed repeatedly while writers present, on the embedded database.
import { join } from 'node:path';
import { fillDatabase, startIdentityProvider } from '../bench/goods.js';
import { startServer, stopTarget } from '../bench/processes.js';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { checkPromises } from './check-promises.js';
import { killNow, presentWhile } from './present-while.js';

export async function killEmbedded({ folder, times, report, small }) {
  const houses = small ? 20_000 : 200_000;
  const location = join(folder, 'data');
  const prepared = await openEmbedded(location);
  await migrate(prepared);
  report(`pre-notifying ${houses} house consignments`);
  await fillDatabase(prepared, houses);
  await prepared.close();

  const port = 20_000 + (process.pid % 500);
  const provider = await startIdentityProvider();
  const serve = () => startServer({ port, location, keysFolder: `${folder}/keys`, provider });
  let server = await serve();
  const disturb = async () => {
    await killNow(server);
    server = await serve();
  };
  const account = await presentWhile({ port, provider, houses, times, report, disturb });
  await stopTarget(server);
  provider.stop();
  const database = await openEmbedded(location);
  const broken = await checkPromises(database, account);
  await database.close();
  return broken;
}
