// Two servers, their receiver and PostgreSQL are killed at random while writers present and subscriptions are delivered.
// Checked is what the receiver has written down: every entry came at least once and in the order of its feed, and none came
// after a later one was confirmed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { stopTarget } from '../bench/processes.js';
import { startAgain } from './own-postgresql.js';
import { prepare } from './prepare.js';
import { killNow, pause } from './present-while.js';
import { until } from './until.js';
import { call, startWriters } from './writers.js';

const SUBSCRIPTIONS = '/api/notification/v1/subscriptions';
/** Organisations that subscribe, each to both feeds, and how often to each. */
const SUBSCRIBERS = 20;
const EACH = 1;
const FEEDS = { routing: 'routing_signal', 'validation-status': 'validation_status' };
const WRITERS = 8;

export async function killPush({ folder, times, report, small }) {
  // More than the other scenarios: the default of 20 is of each kind of kill.
  const kills = small ? times * 3 : Math.max(50, times);
  const made = await prepare({ folder, report, small, houses: small ? 20_000 : 100_000 });
  const { port, provider, database, cluster } = made;
  const file = `${folder}/received`;
  const receiverPort = port + 1_000;
  const ports = [port, port + 1];
  const servers = await Promise.all(ports.map((at) => made.serve(at)));
  let receiver = await startReceiver(receiverPort, file);
  const tokens = await exchangeTokens(provider, port);

  const subscribed = await subscribe(tokens, port, receiverPort);
  const writers = startWriters({
    ...{ ports, tokens, writers: WRITERS, housesPerEns: HOUSES_PER_ENS, houses: made.houses },
  });
  const acts = [
    async () => {
      const index = Math.floor(Math.random() * servers.length);
      await killNow(servers[index]);
      servers[index] = await made.serve(ports[index]);
      return 'a server';
    },
    async () => {
      await killNow(receiver);
      receiver = await startReceiver(receiverPort, file);
      return 'the receiver';
    },
    async () => {
      await killNow(made.postgresql);
      made.postgresql = await startAgain(cluster);
      return 'PostgreSQL';
    },
  ];
  for (let kill = 1; kill <= kills; kill++) {
    const size = sizeOf(file);
    await until(() => sizeOf(file) > size, 'something is delivered');
    await pause(Math.random() * 500);
    const killed = await acts[(kill - 1) % acts.length]();
    report(
      `killed ${killed}: ${kill} of ${kills}; ${writers.account.acknowledged.length} presented`,
    );
  }
  const account = await writers.stop();
  await until(() => isDelivered(database), 'everything is confirmed', 600);
  const deliveries = readDeliveries(file);
  const broken = [];
  for (const one of subscribed) broken.push(...(await check(database, one, deliveries)));
  const repeated = countRepeated(deliveries);
  const entries = deliveries.reduce((sum, { ids }) => sum + ids.length, 0);
  report(
    `${deliveries.length} deliveries with ${entries} entries to ${subscribed.length} subscriptions, ${repeated} of them repeated`,
  );
  for (const server of servers) await stopTarget(server);
  receiver.kill('SIGKILL');
  // What became of the presentations is checked by other scenarios.
  await made.end();
  return [...broken, ...account.wrong];
}

async function startReceiver(port, file) {
  const path = fileURLToPath(new URL('push-receiver.js', import.meta.url));
  const child = fork(path, [JSON.stringify({ port, file })]);
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the receiver has ended');
    }),
  ]);
  return child;
}

/** Subscribes while the feeds are empty. */
async function subscribe(tokens, port, receiverPort) {
  const made = [];
  for (let number = 0; number < SUBSCRIBERS; number++) {
    for (const feed of Object.keys(FEEDS)) {
      for (let copy = 0; copy < EACH; copy++) {
        const path = `/${number}/${feed}/${copy}`;
        const url = `http://127.0.0.1:${receiverPort}${path}`;
        const body = JSON.stringify({ feed, url });
        const response = await call(port, 'POST', SUBSCRIPTIONS, tokens[number], body);
        if (response?.status !== 201) throw new Error(`${response?.status} ${response?.text}`);
        made.push({ path, feed, id: JSON.parse(response.text).id });
      }
    }
  }
  return made;
}

const sizeOf = (file) => (existsSync(file) ? statSync(file).size : 0);

async function isDelivered(database) {
  const [row] = await query(
    database,
    `select count(*)::integer as behind from push_progress p
     join push_subscription s on s.id = p.subscription_id
     left join feed_state f on f.kind = s.kind and f.owner = s.owner
     where p.position < coalesce(f.position, 0)`,
  );
  return row.behind === 0;
}

const query = (database, text, values = []) => database.query({ name: '', text, values });

function readDeliveries(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  // A receiver that was killed while it wrote has not confirmed what it wrote.
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
}

function countRepeated(deliveries) {
  return deliveries.length - new Set(deliveries.map(({ path, id }) => `${path} ${id}`)).size;
}

/** What is wrong with what one subscription has got. */
async function check(database, { path, feed, id }, deliveries) {
  const rows = await query(
    database,
    `select e.id from push_subscription s join ${FEEDS[feed]} e on e.owner = s.owner
     where s.id = $1 order by e.position`,
    [id],
  );
  const positions = new Map(rows.map((row, index) => [row.id, index]));
  const broken = [];
  /** The delivery that came last: it may come again as it is, or the next one comes. */
  let last = { id: '', from: 0, to: 0 };
  for (const delivery of deliveries.filter((one) => one.path === path)) {
    const found = delivery.ids.map((entry) => positions.get(entry));
    const [from] = found;
    if (found.some((position, index) => position !== from + index)) {
      broken.push(`${path}: ${delivery.id} is not in the order of the feed: ${found}`);
    }
    const to = from + found.length;
    const isRepeated = delivery.id === last.id && from === last.from && to === last.to;
    if (!isRepeated && from !== last.to) {
      broken.push(
        `${path}: entries ${from} to ${to} came after entries ${last.from} to ${last.to}`,
      );
    }
    if (!isRepeated && delivery.id === last.id)
      broken.push(`${path}: ${last.id} has other entries`);
    last = { id: delivery.id, from, to };
  }
  if (last.to !== rows.length) broken.push(`${path}: ${last.to} of ${rows.length} entries came`);
  return broken;
}
