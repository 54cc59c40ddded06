// Two servers on one database are killed at random while eight writers and eight readers with markers run: at the end
// each reader has exactly the signals of the database, in the same order.
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { stopTarget } from '../bench/processes.js';
import { checkPromises } from './check-promises.js';
import { prepare } from './prepare.js';
import { killNow, pause } from './present-while.js';
import { checkReaders, startReader } from './readers.js';
import { startWriters } from './writers.js';

const READERS = 8;

export async function restartTwoServers({ folder, seconds, report, small }) {
  const { port, database, provider, serve, houses, end } = await prepare({ folder, report, small });
  const ports = [port, port + 1];
  // The first server creates the signing keys that the second reads.
  const servers = [await serve(port), await serve(port + 1)];
  const all = await exchangeTokens(provider, port);
  const tokens = all.slice(0, READERS);
  const writers = startWriters({
    ports,
    tokens: all,
    writers: 8,
    housesPerEns: HOUSES_PER_ENS,
    houses,
  });
  const readers = tokens.map((token, reader) => startReader(reader, ports, token));

  const ends = performance.now() + seconds * 1000;
  let restarts = 0;
  while (performance.now() < ends) {
    await pause(500 + Math.random() * 2500);
    const index = Math.random() < 0.5 ? 0 : 1;
    await killNow(servers[index]);
    servers[index] = await serve(ports[index]);
    restarts++;
  }
  const account = await writers.stop();
  for (const reader of readers) await reader.stop();
  await Promise.all(servers.map(stopTarget));
  report(
    `${restarts} restarts, ${account.acknowledged.length} acknowledged, ${readers.map(({ read }) => read.length).join(' + ')} signals read`,
  );

  const broken = await checkPromises(database, account);
  broken.push(...(await checkReaders(database, readers)));
  await end();
  return broken;
}
