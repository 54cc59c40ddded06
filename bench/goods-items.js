// The goods-item stream: publishing compared with COPY and with NATS alone, reading compared with bare bytes, and the
// latency of a live stream.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { generateGoodsItems } from '../packages/samples/dist/index.js';
import { readEvent } from '../packages/service/dist/goods-items/goods-item-event.js';
import { makeMessage } from '../packages/service/dist/testing/goods-item-messages.js';
import { startNats } from '../packages/service/dist/testing/own-nats.js';
import { exchangeToken } from './goods.js';
import { keepPages } from './keep-pages.js';
import { usage } from './processes.js';
import { send } from './send.js';

const PATH = '/api/declaration/feed/v1/goods-items';
const COPY = 'goods items, publish: plain COPY of the rows';
const NATS = 'goods items, publish: NATS alone, window 64';

/** Programs that rows need. */
export const PROGRAMS = { psql: COPY, 'nats-server': NATS };

/** Upper bound of the messages that any row publishes per second. */
const MESSAGES_A_SECOND = 20_000;

/** Publishing requests per second to the live stream, and messages in each. */
const LIVE_CALLS = 100;
const LIVE_MESSAGES = 5;
const LIVE_READERS = 8;

/** Measures the selected rows. `bench` is the context of run.js. */
export async function measureGoodsItems(bench) {
  const { wanted, startLandfall, provider, database, url } = bench;
  const names = ['goods items, publish', 'goods items, page', 'goods items, live'];
  if (!names.some(wanted) && !wanted(COPY)) return;
  await allow(database);
  const landfall = await startLandfall(url, 1);
  const tokens = {
    publish: await exchangeToken(provider, landfall.ports[0], 0, 'customs:declaration.publish'),
    feed: await exchangeToken(provider, landfall.ports[0], 0, 'customs:declaration.feed'),
  };
  const made = { ...bench, landfall, tokens };
  await measurePublishing(made);
  await measurePages(made);
  await measureLive(made);
  await landfall.stop();
}

async function allow(database) {
  await database.transact((transaction) =>
    transaction.run(`
      insert into organisation_scope (organisation_id, scope)
        select id, scope from organisation, unnest('{declaration.publish,declaration.feed}'::text[]) scope
        where identifier = '0192:810000000'
      on conflict do nothing;`),
  );
}

/** The same messages as lines, and as rows of the table. */
async function writeMessages(folder, count) {
  const lines = createWriteStream(join(folder, 'messages.ndjson'));
  const rows = createWriteStream(join(folder, 'messages.tsv'));
  const events = [];
  for (const message of generateGoodsItems({
    declarations: count,
    seed: Date.now() & 0x3fffffff,
  })) {
    if (events.length === count) break;
    const { event } = readEvent(JSON.stringify(message), events.length);
    events.push(event);
    const { declaration = '\\N', number = '\\N' } = event.item ?? {};
    const row = [
      0,
      events.length,
      event.id,
      declaration,
      number,
      event.facts?.topic ?? 'unknown.00',
    ];
    const { procedure = '\\N', acceptedOn = '\\N' } = event.facts ?? {};
    lines.write(`${event.entry}\n`);
    const more = rows.write(
      `${row.join('\t')}\t2026-01-17T09:30:00Z\t${event.entry.replaceAll('\\', '\\\\')}\t${procedure}\t${acceptedOn}\n`,
    );
    if (!more) await once(rows, 'drain');
  }
  await Promise.all([once(lines.end(), 'finish'), once(rows.end(), 'finish')]);
  return { lines: lines.path, rows: rows.path, events };
}

async function measurePublishing({
  folder,
  seconds,
  wanted,
  note,
  database,
  url,
  landfall,
  tokens,
}) {
  const name = 'goods items, publish: PostgreSQL';
  if (!wanted(name) && !wanted(COPY)) return;
  const count = MESSAGES_A_SECOND * seconds;
  const { lines, rows, events } = await writeMessages(folder, count);
  const backends = await database.query({
    name: '',
    text: 'select pid from pg_stat_activity where datname = current_database()',
    values: [],
  });
  const measure = async (row, baseline, pids, work) => {
    if (!wanted(row)) return;
    const before = usage(pids());
    const started = performance.now();
    const statuses = await work();
    const took = (performance.now() - started) / 1000;
    const after = usage(pids());
    const cpu = ((after.seconds - before.seconds) / count) * 1e6;
    const { megabytes } = after;
    note(row, baseline, { perSecond: count / took, p50: 0, p99: 0, cpu, megabytes, statuses });
  };
  const serverPids = () => [...landfall.pids(), ...backends.map(({ pid }) => pid)];

  await measure(
    COPY,
    COPY,
    () => [],
    async () => {
      const script = `create table copied (like goods_item_event including all);`;
      await run('psql', ['-q', url, '-c', script, '-c', `\\copy copied from ${rows}`]);
      return { COPY: count };
    },
  );
  await database.query({ name: '', text: 'drop table if exists copied', values: [] });
  await measure(name, COPY, serverPids, async () => {
    const response = await publishFile(landfall.ports[0], tokens.publish, lines);
    if (response.status !== 202 || JSON.parse(response.text).accepted !== count) {
      throw new Error(`not published: ${response.status} ${response.text}`);
    }
    return { 202: 1 };
  });
  await measure(
    NATS,
    COPY,
    () => [],
    () => publishToNats(events),
  );
}

async function run(command, args) {
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** Publishes a file and returns the response. */
async function publishFile(port, token, file) {
  const script = fileURLToPath(new URL('publish-file.js', import.meta.url));
  const child = fork(script, [port, PATH, token, file]);
  const [response] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`publish-file.js ended with ${code}`);
    }),
  ]);
  return response;
}

/** Publishes the same messages directly to a stream, with 64 in flight. */
async function publishToNats(events) {
  const nats = await startNats();
  const connection = await connect({ servers: nats.url });
  await (await jetstreamManager(connection)).streams.add({ name: 'BENCH', subjects: ['bench.>'] });
  const client = jetstream(connection);
  const underWay = [];
  for (const { id, entry } of events) {
    underWay.push(client.publish('bench.I.87', entry, { msgID: id }));
    if (underWay.length >= 64) await underWay.shift();
  }
  await Promise.all(underWay);
  await connection.close();
  await nats.remove();
  return { acknowledged: events.length };
}

/** Few pages, which are all cached, or many pages after different markers, of which none is cached. */
async function measurePages({ wanted, folder, measure, measureBare, landfall, tokens, database }) {
  const { ports } = landfall;
  const accept = 'application/x-ndjson';
  const rows = await database.query({
    name: '',
    text: `select id from goods_item_event where position % 250 = 0
      and position < (select max(position) from goods_item_event) - 1000 order by position limit 300`,
    values: [],
  });
  const all = rows.map(({ id }) => `${PATH}?limit=1000&marker=${id}`);
  for (const [name, paths] of [
    ['goods items, page of 1,000, read before', all.slice(0, 20)],
    ['goods items, page of 1,000', all],
  ]) {
    if (!wanted(name) || paths.length === 0) continue;
    const headers = {
      authorization: `Bearer ${tokens.feed}`,
      accept,
      'accept-encoding': 'identity',
    };
    const pages = await keepPages(folder, (path) => send(ports[0], path, { headers }), paths);
    const load = { kind: 'read', tokens: [tokens.feed], paths, accept, connections: 16 };
    await measureBare(
      `${name}: node:http`,
      `${name}: node:http`,
      'targets/bytes-http',
      [pages],
      load,
    );
    await measure(`${name}: PostgreSQL`, `${name}: node:http`, landfall.pids, { ...load, ports });
  }
  const name = 'goods items, page of 1,000, through a view: PostgreSQL';
  if (!wanted(name) || all.length === 0) return;
  await setView(database, VIEW);
  const load = { kind: 'read', tokens: [tokens.feed], paths: all, accept, connections: 16, ports };
  await measure(name, 'goods items, page of 1,000: PostgreSQL', landfall.pids, load);
  await setView(database, undefined);
}

/** A view of a consumer that makes statistics of imports. */
const VIEW = {
  directions: ['I'],
  members: [
    'GoodsItem.CommodityCode',
    'GoodsItem.CountryOfOrigin',
    'GoodsItem.StatisticalValue',
    'GoodsItem.NetMass',
    'GoodsItem.Declaration.DateOfAcceptance',
    'GoodsItem.DutiesAndTaxes',
  ],
};

/** Sets the view of the reader, or removes it, and waits until the server applies it. */
async function setView(database, view) {
  await database.query({
    name: '',
    text: `insert into goods_item_view (organisation_id, version, conditions, changed_at, changed_by, changed_by_client)
      select id, 1, $1, now(), 'bench', 'bench' from organisation where identifier = '0192:810000000'
      on conflict (organisation_id) do update set conditions = excluded.conditions, version = goods_item_view.version + 1`,
    values: [view === undefined ? null : JSON.stringify(view)],
  });
  await new Promise((resolve) => setTimeout(resolve, 1500));
}

/** Time from before a message is sent until each of several readers of the live stream receives it. */
async function measureLive({ wanted, seconds, note, landfall, tokens }) {
  const name = `goods items, live: ${LIVE_CALLS * LIVE_MESSAGES} a second, ${LIVE_READERS} readers`;
  if (!wanted(name)) return;
  const [port] = landfall.ports;
  const sentAt = new Map();
  const lags = [];
  const readers = Array.from({ length: LIVE_READERS }, () =>
    follow(port, tokens.feed, (id) => {
      const sent = sentAt.get(id);
      if (sent !== undefined) lags.push(performance.now() - sent);
    }),
  );
  await Promise.all(readers.map(({ following }) => following));
  const before = usage(landfall.pids());
  const started = performance.now();
  const calls = [];
  for (let call = 0; call < seconds * LIVE_CALLS; call++) {
    const wait = started + (call * 1000) / LIVE_CALLS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const messages = Array.from({ length: LIVE_MESSAGES }, (_, number) =>
      makeMessage({ number: number + 1 }),
    );
    const now = performance.now();
    for (const { metadata } of messages) sentAt.set(metadata.eventId, now);
    calls.push(publish(port, tokens.publish, messages));
  }
  await Promise.all(calls);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = usage(landfall.pids());
  for (const { stop } of readers) stop();
  const expected = seconds * LIVE_CALLS * LIVE_MESSAGES * LIVE_READERS;
  if (lags.length !== expected) throw new Error(`${lags.length} of ${expected} arrived`);
  lags.sort((one, other) => one - other);
  note(name, undefined, {
    perSecond: lags.length / seconds,
    p50: lags[Math.floor(lags.length * 0.5)],
    p99: lags[Math.floor(lags.length * 0.99)],
    cpu: ((after.seconds - before.seconds) / lags.length) * 1e6,
    megabytes: after.megabytes,
    statuses: { events: lags.length },
  });
}

async function publish(port, token, messages) {
  const response = await send(port, PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  await response.arrayBuffer();
}

/** Follows the stream from its current end. */
function follow(port, token, arrived) {
  const headers = { authorization: `Bearer ${token}` };
  let stop = () => undefined;
  const following = (async () => {
    const current = await send(port, `${PATH}/current?limit=1`, { headers });
    const marker = current.headers.get('landfall-marker');
    const path = marker === null ? PATH : `${PATH}?marker=${marker}`;
    await new Promise((resolve, reject) => {
      const sent = request(
        { port, path, headers: { ...headers, accept: 'text/event-stream' } },
        (response) => {
          if (response.statusCode !== 200) {
            reject(new Error(`GET ${path}: ${response.statusCode}`));
            return;
          }
          let text = '';
          response.setEncoding('utf8');
          response.once('data', resolve);
          response.on('error', () => undefined);
          response.on('data', (part) => {
            text += part;
            const ended = text.lastIndexOf('\n\n');
            for (const [, id] of text.slice(0, ended).matchAll(/^id: (.*)$/gm)) arrived(id);
            text = text.slice(ended);
          });
        },
      );
      sent.on('error', () => undefined);
      stop = () => sent.destroy();
      sent.end();
    });
  })();
  return { following, stop: () => stop() };
}
