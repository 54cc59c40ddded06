// The publisher, servers with their relay, and NATS are killed at random: at the end the database, an HTTP reader and a
// JetStream consumer have the same events in the same order, each once.
import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exchangeToken } from '../bench/goods.js';
import { stopTarget } from '../bench/processes.js';
import { generateGoodsItems } from '../packages/samples/dist/index.js';
import { ReadItems } from '../packages/service/dist/testing/goods-item-messages.js';
import { startNats } from '../packages/service/dist/testing/own-nats.js';
import { prepare } from './prepare.js';
import { killNow, pause } from './present-while.js';
import { startConsumer } from './stream-consumer.js';
import { call } from './writers.js';

const PATH = '/api/declaration/feed/v1/goods-items';

export async function killStream({ folder, seconds, report }) {
  const made = await prepare({ folder, report, houses: 0 });
  const { port, database, provider, serve } = made;
  await database.transact((transaction) =>
    transaction.run(`
      insert into organisation_scope (organisation_id, scope)
        select id, scope from organisation, unnest('{declaration.publish,declaration.feed}'::text[]) scope`),
  );
  const nats = await startNats();
  const ports = [port, port + 1];
  const servers = [await serve(port, nats.url), await serve(port + 1, nats.url)];
  const token = (scope) => exchangeToken(provider, port, 0, scope);
  const publishing = startPublisher(ports, await token('customs:declaration.publish'));
  const reader = startReader(ports, await token('customs:declaration.feed'));
  const consumer = startConsumer(nats.url);

  const kills = { publisher: 0, server: 0, NATS: 0 };
  const disturbances = [
    async () => {
      await publishing.kill();
      kills.publisher++;
    },
    async () => {
      const index = Math.random() < 0.5 ? 0 : 1;
      await killNow(servers[index]);
      await pause(Math.random() * 500);
      servers[index] = await serve(ports[index], nats.url);
      kills.server++;
    },
    async () => {
      await nats.kill();
      await pause(Math.random() * 1500);
      await nats.start();
      kills.NATS++;
    },
  ];
  const ends = performance.now() + seconds * 1000;
  const disturbing = disturbances.map(async (disturb) => {
    while (performance.now() < ends) {
      await pause(300 + Math.random() * 3000);
      await disturb();
    }
  });
  await Promise.all(disturbing);
  const account = await publishing.stop();
  const rows = await database.query({
    name: '',
    text: 'select position, id from goods_item_event order by position',
    values: [],
  });
  const expected = rows.map(({ id }) => id);
  await Promise.race([
    Promise.all([reader.until(expected.length), consumer.until(expected.length)]),
    delay(60_000, undefined, { ref: false }),
  ]);
  const [read, consumed] = [await reader.stop(), await consumer.stop()];
  report(
    `killed the publisher ${kills.publisher} times, a server ${kills.server} times, NATS ${kills.NATS} times; ${account.acknowledged} messages acknowledged, ${account.duplicates} of them as duplicates; ${expected.length} stored`,
  );
  const broken = [
    ...account.wrong,
    ...compare('the reader over HTTP', read, expected),
    ...compare('the consumer in JetStream', consumed, expected),
    ...(await checkStream(database, rows, account)),
  ];
  await Promise.all(servers.map(stopTarget));
  await nats.remove();
  await made.end();
  return broken;
}

function compare(who, ids, expected) {
  if (JSON.stringify(ids) === JSON.stringify(expected)) return [];
  const twice = ids.length - new Set(ids).size;
  return [
    `${who} has ${ids.length} events, ${twice} of them twice, or in a different order; the database has ${expected.length}`,
  ];
}

/** Whether the database has all acknowledged events in order, without a gap, and the right current items. */
async function checkStream(database, rows, { acknowledged, seed }) {
  const broken = [];
  if (rows.some(({ position }, index) => position !== index + 1)) {
    broken.push('positions are not numbered from 1 without a gap');
  }
  const items = new ReadItems();
  let index = 0;
  for (const message of generateGoodsItems({ declarations: 100_000_000, seed })) {
    if (index === rows.length) break;
    if (rows[index].id !== message.metadata.eventId) {
      broken.push(`the event at ${index + 1} is not the one that was published there`);
      break;
    }
    items.apply(message);
    index++;
  }
  if (rows.length < acknowledged) {
    broken.push(`${acknowledged - rows.length} acknowledged messages are lost`);
  }
  const current = await database.query({
    name: '',
    text: `select i.declaration, i.number, e.id from goods_item i join goods_item_event e using (position)`,
    values: [],
  });
  const state = current.map(({ declaration, number, id }) => `${declaration} ${number} ${id}`);
  if (JSON.stringify(state.sort()) !== JSON.stringify(items.state)) {
    broken.push(`${state.length} current items, expected ${items.state.length}, or different ones`);
  }
  return broken;
}

/** Publishes one history with one process after another. */
function startPublisher(ports, token) {
  const seed = Math.floor(Math.random() * 1e9);
  const account = { seed, acknowledged: 0, duplicates: 0, wrong: /** @type {string[]} */ ([]) };
  const start = () => {
    const work = { ports, token, seed, from: account.acknowledged };
    const child = fork(fileURLToPath(new URL('publisher.js', import.meta.url)), [
      JSON.stringify(work),
    ]);
    child.on('message', ({ acknowledged, duplicates, wrong }) => {
      if (wrong !== undefined) account.wrong.push(wrong);
      else account.acknowledged = acknowledged;
      account.duplicates += duplicates ?? 0;
    });
    return child;
  };
  let child = start();
  return {
    kill: async () => {
      await killNow(child);
      child = start();
    },
    stop: async () => {
      await killNow(child);
      // A block in flight may still be stored.
      await pause(3000);
      return account;
    },
  };
}

/** Reads the stream with markers, from either server. */
function startReader(ports, token) {
  const read = [];
  let stopping = false;
  const running = (async () => {
    for (let attempt = 0; !stopping; attempt++) {
      const marker = read.length === 0 ? '' : `&marker=${read.at(-1)}`;
      const path = `${PATH}?limit=${1 + Math.floor(Math.random() * 1000)}${marker}`;
      const response = await call(ports[attempt % 2], 'GET', path, token);
      const messages = response?.status === 200 ? JSON.parse(response.text) : [];
      for (const { metadata } of messages) read.push(metadata.eventId);
      if (messages.length === 0) await pause(20);
    }
    return read;
  })();
  return {
    until: async (count) => {
      while (read.length < count && !stopping) await pause(100);
    },
    stop: () => {
      stopping = true;
      return running;
    },
  };
}
