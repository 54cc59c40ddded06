// Of twenty subscriptions, some have receivers that hang, drip, send a gigabyte, redirect or close. Checked is that the others
// get their signals as soon as before and afterwards, in the same run, and that the memory of the servers does not grow.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { exchangeTokens, HOUSES_PER_ENS } from '../bench/goods.js';
import { stopTarget, usage } from '../bench/processes.js';
import { prepare } from './prepare.js';
import { pause } from './present-while.js';
import { until } from './until.js';
import { call } from './writers.js';

const PRESENT = '/api/movement/presentation/v1/house-consignment';
const SUBSCRIPTIONS = '/api/notification/v1/subscriptions';
const SUBSCRIBERS = 20;
/** Presentations a second, of all subscribers together: far below what the machine can do, so that nothing queues by itself. */
const RATE = 20;
/** How often a failing subscription is set active again, so that its waits do not grow and its receiver is busy all the time. */
const REPEAT_MS = 20_000;
const MEMORY_MS = 5_000;

export async function hangReceivers({ folder, minutes, report, small }) {
  const withMs = (minutes || (small ? 0.35 : 10)) * 60_000;
  const aloneMs = small ? 5_000 : Math.max(30_000, withMs / 20);
  // Each subscriber has its own goods, of fifty organisations.
  const needed = Math.ceil((RATE * (withMs + 2 * aloneMs + 60_000)) / 1000 / SUBSCRIBERS);
  const houses = Math.ceil(needed / HOUSES_PER_ENS) * HOUSES_PER_ENS * 50;
  const made = await prepare({ folder, report, small, houses });
  const { port, provider } = made;
  const ports = [port, port + 1];
  const servers = await Promise.all(ports.map((at) => made.serve(at)));
  const tokens = await exchangeTokens(provider, port);
  const hostilePort = port + 1_000;
  const [hostile, habits] = await startHostile(hostilePort);
  const good = await startGood();

  const goodOnes = SUBSCRIBERS - habits.length;
  for (let number = 0; number < goodOnes; number++) {
    await subscribe(port, tokens[number], good.url);
  }
  const wrong = [];
  const presenting = presentSteadily(ports, tokens, made.houses, wrong);
  await until(() => good.delays.length > SUBSCRIBERS, 'signals are delivered');

  /** Measures for some time. */
  const measure = async (ms) => {
    const from = good.delays.length;
    const memory = [];
    const end = performance.now() + ms;
    while (performance.now() < end) {
      await pause(Math.min(MEMORY_MS, end - performance.now()));
      memory.push(usage(servers.map(({ pid }) => pid)).megabytes);
    }
    return { delays: good.delays.slice(from), memory };
  };
  /** Says what one period has shown. */
  const describe = (name, { delays, memory }) => {
    const figures = { median: quantile(delays, 0.5), p99: quantile(delays, 0.99) };
    report(
      `${name}: ${delays.length} signals, median ${figures.median} ms, p99 ${figures.p99} ms, ` +
        `longest ${quantile(delays, 1)} ms, memory ${Math.round(quantile(memory, 0.5))} MB`,
    );
    return figures;
  };

  const before = await measure(aloneMs);
  const alone = describe('alone', before);
  const subscribed = [];
  for (const [index, habit] of habits.entries()) {
    const token = tokens[goodOnes + index];
    const url = `http://127.0.0.1:${hostilePort}${habit}`;
    subscribed.push({ habit, token, id: await subscribe(port, token, url) });
  }
  const repeating = setInterval(() => {
    for (const { token, id } of subscribed) void beginAgain(port, token, id);
  }, REPEAT_MS);
  const during = await measure(withMs);
  clearInterval(repeating);
  const beside = describe('beside the others', during);
  const attempts = [];
  for (const { habit, token, id } of subscribed) {
    attempts.push(`${habit.slice(1)}: ${await describeAttempts(port, token, id)}`);
    await call(port, 'DELETE', `${SUBSCRIPTIONS}/${id}`, token);
  }
  report(attempts.join('; '));
  const after = await measure(aloneMs);
  const again = describe('alone again', after);

  presenting.stop();
  await presenting.ended;
  for (const server of servers) await stopTarget(server);
  hostile.kill('SIGKILL');
  good.close();
  await made.end();
  // A server that has just started takes memory for some minutes.
  const grown = small ? [] : compareMemory(during.memory, report);
  return [...wrong, ...compare(alone, beside, again), ...grown];
}

/** What a receiver that holds others up for one attempt costs is seconds: less than that is the machine's. */
const TOLERATED_MS = 500;

function compare(alone, beside, again) {
  return Object.keys(alone).flatMap((figure) => {
    const other = Math.max(alone[figure], again[figure]);
    return beside[figure] <= 2 * other + TOLERATED_MS
      ? []
      : [`${figure}: ${beside[figure]} ms beside receivers that hang, ${other} ms without them`];
  });
}

/** Compares the second quarter of a time with the last one: the first one fills caches. */
function compareMemory(memory, report) {
  const quarter = Math.floor(memory.length / 4);
  if (quarter === 0) return [];
  const early = quantile(memory.slice(quarter, 2 * quarter), 0.5);
  const late = quantile(memory.slice(-quarter), 0.5);
  report(`memory of the servers: ${Math.round(early)} MB, then ${Math.round(late)} MB`);
  return late <= 1.3 * early ? [] : [`memory grew from ${early} to ${late} MB`];
}

function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

async function startHostile(port) {
  const path = fileURLToPath(new URL('hostile-receiver.js', import.meta.url));
  const child = fork(path, [JSON.stringify({ port })]);
  const [habits] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the receiver has ended');
    }),
  ]);
  return /** @type {const} */ ([child, habits]);
}

/** A receiver that confirms everything, and keeps how long each signal took from its time in the feed to its confirmation. */
async function startGood() {
  const delays = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (part) => chunks.push(part));
    request.on('end', () => {
      const { data = [], challenge } = JSON.parse(Buffer.concat(chunks).toString());
      response.end(JSON.stringify({ challenge }));
      const now = Date.now();
      for (const { routingResult } of data) {
        delays.push(now - Date.parse(routingResult.documentIssueDate));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { delays, url, close };
}

async function subscribe(port, token, url) {
  const body = JSON.stringify({ feed: 'routing', url });
  const response = await call(port, 'POST', SUBSCRIPTIONS, token, body);
  if (response?.status !== 201) throw new Error(`${response?.status} ${response?.text}`);
  return JSON.parse(response.text).id;
}

/** Makes failures of before not count: the next attempt is at once. */
async function beginAgain(port, token, id) {
  for (const state of ['PAUSED', 'ACTIVE']) {
    const path = `${SUBSCRIPTIONS}/${id}`;
    const body = JSON.stringify({ state });
    await call(port, 'PATCH', path, token, body, 'application/merge-patch+json');
  }
}

/** The last attempts of a subscription by outcome. */
async function describeAttempts(port, token, id) {
  const path = `${SUBSCRIPTIONS}/${id}/attempts?limit=1000`;
  const response = await call(port, 'GET', path, token);
  if (response?.status !== 200) throw new Error(`${response?.status} ${response?.text}`);
  const counts = {};
  for (const { outcome } of JSON.parse(response.text)) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

/** Presents goods of each subscriber in turn, at a steady rate. */
function presentSteadily(ports, tokens, houses, wrong) {
  let stopped = false;
  const present = async (turn) => {
    const number = turn % SUBSCRIBERS;
    const own = Math.floor(turn / SUBSCRIBERS);
    const ens = number + Math.floor(own / HOUSES_PER_ENS) * 50;
    const house = ens * HOUSES_PER_ENS + (own % HOUSES_PER_ENS);
    if (house >= houses) return wrong.push('there were too few goods');
    const body = JSON.stringify({
      requestId: crypto.randomUUID(),
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: {
        documentNumber: `HAWB${String(house).padStart(8, '0')}`,
        type: 'N740',
      },
    });
    const response = await call(ports[turn % 2], 'POST', PRESENT, tokens[number], body);
    if (response?.status !== 202) wrong.push(`${response?.status} ${response?.text}`);
  };
  const ended = (async () => {
    const began = performance.now();
    for (let turn = 0; !stopped; turn++) {
      void present(turn);
      await pause(Math.max(0, began + ((turn + 1) * 1000) / RATE - performance.now()));
    }
  })();
  return { ended, stop: () => (stopped = true) };
}
