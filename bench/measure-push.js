// Delivering signals to receivers on this machine: as fast as they are confirmed, and how late each comes, alone and beside
// receivers that hang.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { FeedWatch } from '../packages/service/dist/feed/watch-feeds.js';
import { appendSignals } from '../packages/service/dist/testing/signal-writer.js';
import { usage } from './processes.js';
import { send } from './send.js';

const SUBSCRIPTIONS = '/api/notification/v1/subscriptions';
const LIVE = 'push, one by one: PostgreSQL';
const BESIDE = 'push, one by one: PostgreSQL, beside 100 receivers that hang';
const rowOf = (subscriptions) => `push, deliveries: PostgreSQL, ${subscriptions} subscriptions`;

/** Signals that are appended at once, a multiple of what a delivery has. */
const BLOCK = 2000;
/** How often a signal is appended whose delay is measured, in milliseconds. */
const LIVE_INTERVAL_MS = 20;

/** Measures the selected rows with organisations of the plain load that present nothing meanwhile. */
export async function measurePush({ wanted, note, startLandfall, url, database, seconds, small }) {
  const counts = [1, 100].filter((count) => wanted(rowOf(count)));
  const lives = [LIVE, BESIDE].filter(wanted);
  if (counts.length + lives.length === 0) return;
  const landfall = await startLandfall(url, 1);
  const watch = new FeedWatch(database);
  const receiver = await startReceiver();
  const bench = { landfall, watch, receiver, database, seconds, small };
  try {
    for (const count of counts) {
      note(rowOf(count), rowOf(1), await measureDeliveries(bench, count === 1 ? 10 : 11, count));
    }
    for (const name of lives) {
      const hanging = name === BESIDE ? (small ? 5 : 100) : 0;
      note(name, LIVE, await measureLive(bench, hanging === 0 ? 12 : 13, hanging));
    }
  } finally {
    watch.close();
    receiver.close();
    await landfall.stop();
  }
}

/** Deliveries a second, of 100 entries each, until everything is confirmed. */
async function measureDeliveries(bench, organisation, count) {
  const { landfall, watch, receiver, database, seconds, small } = bench;
  const owner = await ownerOf(database, organisation);
  const ids = [];
  for (let number = 0; number < count; number++) {
    ids.push(await subscribe(bench, organisation, `/deliveries/${count}`));
  }
  const blocks = small ? 1 : Math.ceil((seconds * (count === 1 ? 10 : 1)) / 2);
  const before = usage(landfall.pids());
  const began = performance.now();
  for (let block = 0; block < blocks; block++) await appendSignals(database, owner, BLOCK, watch);
  const wanted = (blocks * BLOCK * count) / 100;
  const came = () => receiver.arrivals.filter(({ path }) => path === `/deliveries/${count}`);
  while (came().reduce((sum, { entries }) => sum + entries, 0) < wanted * 100) await delay(20);
  const tookMs = performance.now() - began;
  const after = usage(landfall.pids());
  await unsubscribe(bench, organisation, ids);
  const { length } = came();
  return {
    perSecond: length / (tookMs / 1000),
    p50: tookMs / length,
    p99: tookMs / length,
    cpu: ((after.seconds - before.seconds) / length) * 1e6,
    megabytes: after.megabytes,
    statuses: { 200: length },
  };
}

/** How long after its commit a signal comes. */
async function measureLive(bench, organisation, hanging) {
  const { landfall, watch, receiver, database, seconds } = bench;
  const path = `/live/${hanging}`;
  const owner = await ownerOf(database, organisation);
  const ids = [await subscribe(bench, organisation, path)];
  const slow = organisation + 10;
  const hung = [];
  for (let number = 0; number < hanging; number++) {
    hung.push(await subscribe(bench, slow, `/hangs/${number}`));
  }
  if (hanging > 0) await appendSignals(database, await ownerOf(database, slow), 1, watch);
  await delay(500);
  const appended = [];
  const before = usage(landfall.pids());
  const began = performance.now();
  while (appended.length < 10 || performance.now() - began < seconds * 1000) {
    await appendSignals(database, owner, 1, watch);
    appended.push(performance.now());
    await delay(LIVE_INTERVAL_MS);
  }
  const came = () => receiver.arrivals.filter((arrival) => arrival.path === path);
  while (came().reduce((sum, { entries }) => sum + entries, 0) < appended.length) await delay(20);
  const after = usage(landfall.pids());
  await unsubscribe(bench, organisation, ids);
  await unsubscribe(bench, slow, hung);
  const times = came().flatMap(({ at, entries }) => Array(entries).fill(at));
  const delays = appended
    .map((at, index) => Math.max(0, times[index] - at))
    .sort((one, other) => one - other);
  return {
    perSecond: appended.length / ((performance.now() - began) / 1000),
    p50: delays[Math.floor(delays.length / 2)],
    p99: delays[Math.floor(delays.length * 0.99)],
    cpu: ((after.seconds - before.seconds) / appended.length) * 1e6,
    megabytes: after.megabytes,
    statuses: { 200: came().length },
  };
}

/** A receiver that confirms everything, except for paths that begin with `/hangs`: there it answers challenges alone. */
async function startReceiver() {
  const arrivals = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { challenge, data } = JSON.parse(Buffer.concat(chunks).toString());
      const at = performance.now();
      if (data !== undefined) arrivals.push({ path: request.url, at, entries: data.length });
      if (data === undefined || !request.url.startsWith('/hangs')) response.end(challenge);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { arrivals, port: server.address().port, close };
}

async function subscribe(bench, organisation, path) {
  const { receiver } = bench;
  const url = `http://127.0.0.1:${receiver.port}${path}`;
  const created = await call(bench, organisation, '', 'POST', { feed: 'routing', url });
  const { id } = await created.json();
  for (;;) {
    const { state } = await (await call(bench, organisation, `/${id}`, 'GET')).json();
    if (state === 'ACTIVE') return id;
    await delay(20);
  }
}

async function unsubscribe(bench, organisation, ids) {
  for (const id of ids) await call(bench, organisation, `/${id}`, 'DELETE');
}

function call({ landfall }, organisation, path, method, body) {
  return send(landfall.ports[0], SUBSCRIPTIONS + path, {
    method,
    headers: {
      authorization: `Bearer ${landfall.tokens[organisation]}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function ownerOf(database, organisation) {
  const [{ id }] = await database.query({
    name: '',
    text: 'select id from organisation where identifier = $1',
    values: [`0192:${810_000_000 + organisation}`],
  });
  return id;
}
