// The server is killed again and again while writers present into the embedded database.
import { join } from 'node:path';
import { fillDatabase, startIdentityProvider } from '../bench/goods.js';
import { startServer, stopTarget } from '../bench/processes.js';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { checkPromises } from './check-promises.js';
import { killNow, presentWhile } from './present-while.js';

const HOUSES = 200_000;

export async function killEmbedded({ folder, times, tell }) {
  const place = join(folder, 'data');
  const prepared = await openEmbedded(place);
  await migrate(prepared);
  tell(`pre-notifying ${HOUSES} house consignments`);
  await fillDatabase(prepared, HOUSES);
  await prepared.close();

  const port = 20_000 + (process.pid % 500);
  const provider = await startIdentityProvider();
  const serve = () => startServer({ port, place, keysFolder: `${folder}/keys`, provider });
  let server = await serve();
  const disturb = async () => {
    await killNow(server);
    server = await serve();
  };
  const account = await presentWhile({ port, provider, houses: HOUSES, times, tell, disturb });
  await stopTarget(server);
  provider.stop();
  const database = await openEmbedded(place);
  const broken = await checkPromises(database, account);
  await database.close();
  return broken;
}
