// Two servers on one database are killed at random while eight write and eight read with markers: at the end each
// reader has exactly what the database has, in the same order.
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { startTarget, stopTarget } from '../bench/processes.js';
import { checkPromises } from './check-promises.js';
import { prepare } from './kill-server.js';
import { killNow, pause } from './present-while.js';
import { call, startWriters } from './writers.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';
const READERS = 8;

/** Reads one organisation's signals by markers, from either server, until stopped and nothing is left. */
function startReader(reader, ports, token) {
  const read = [];
  let stopping = false;
  const running = (async () => {
    for (let attempt = reader; ; attempt++) {
      const marker = read.length === 0 ? '' : `&marker=${read.at(-1)}`;
      const limit = 1 + Math.floor(Math.random() * 200);
      const finishing = stopping;
      const answer = await call(
        ports[attempt % ports.length],
        'GET',
        `${ROUTING}?limit=${limit}${marker}`,
        token,
      );
      if (answer?.status !== 200) {
        await pause(20);
        continue;
      }
      const signals = JSON.parse(answer.text);
      read.push(...signals.map(({ routingResult }) => routingResult.id));
      if (signals.length === 0) {
        if (finishing) return;
        await pause(5);
      }
    }
  })();
  return {
    read,
    stop: () => {
      stopping = true;
      return running;
    },
  };
}

export async function restartTwoServers({ folder, seconds, tell }) {
  const { port, cluster, postgresql, database, provider, houses } = await prepare({ folder, tell });
  const ports = [port, port + 1];
  const serve = (at) =>
    startTarget('landfall', [
      String(at),
      cluster.url,
      `${folder}/keys`,
      provider.issuer,
      `http://localhost:${port}`,
    ]);
  // The first makes the signing keys that the second reads.
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
    const place = Math.random() < 0.5 ? 0 : 1;
    await killNow(servers[place]);
    servers[place] = await serve(ports[place]);
    restarts++;
  }
  const account = await writers.stop();
  for (const reader of readers) await reader.stop();
  await Promise.all(servers.map(stopTarget));
  tell(
    `${restarts} restarts, ${account.acknowledged.length} acknowledged, ${readers.map(({ read }) => read.length).join(' + ')} signals read`,
  );

  const broken = await checkPromises(database, account);
  for (const [number, { read }] of readers.entries()) {
    const rows = await database.query({
      name: '',
      text: `select s.id from routing_signal s join organisation o on o.id = s.owner
        where o.identifier = $1 order by s.position`,
      values: [`0192:${810_000_000 + number}`],
    });
    const expected = rows.map(({ id }) => id);
    if (JSON.stringify(expected) !== JSON.stringify(read)) {
      broken.push(
        `reader ${number} has ${read.length} signals, or another order; the database has ${expected.length}`,
      );
    }
  }
  await database.close();
  provider.stop();
  postgresql.kill('SIGKILL');
  return broken;
}
