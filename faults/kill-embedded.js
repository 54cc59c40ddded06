// The server is killed again and again while writers present into the embedded database.
import { once } from 'node:events';
import { join } from 'node:path';
import {
  exchangeTokens,
  fillDatabase,
  HOUSES_PER_ENS,
  startIdentityProvider,
} from '../bench/goods.js';
import { startTarget, stopTarget } from '../bench/processes.js';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { checkPromises } from './check-promises.js';
import { startWriters } from './writers.js';

const HOUSES = 200_000;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function killEmbedded({ folder, times, tell }) {
  const place = join(folder, 'data');
  const prepared = await openEmbedded(place);
  await migrate(prepared);
  tell(`pre-notifying ${HOUSES} house consignments`);
  await fillDatabase(prepared, HOUSES);
  await prepared.close();

  const port = 20_000 + (process.pid % 500);
  const provider = await startIdentityProvider();
  const serve = () =>
    startTarget('landfall', [
      String(port),
      place,
      `${folder}/keys`,
      provider.issuer,
      `http://localhost:${port}`,
    ]);
  let server = await serve();
  const tokens = await exchangeTokens(provider, port);
  const writers = startWriters({
    ports: [port],
    tokens,
    writers: 32,
    housesPerEns: HOUSES_PER_ENS,
    houses: HOUSES,
  });
  for (let time = 1; time <= times; time++) {
    await pause(300 + Math.random() * 900);
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
  provider.stop();
  tell(
    `${account.acknowledged.length} acknowledged, of which ${account.settled} by their requestId`,
  );
  const database = await openEmbedded(place);
  const broken = await checkPromises(database, account);
  await database.close();
  return broken;
}
