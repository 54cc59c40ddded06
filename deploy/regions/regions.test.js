// The streams of two regions joined at a centre, with the files of this folder and real NATS servers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findPort } from '../../packages/playground/dist/find-port.js';
import { whyNoNats } from '../../packages/service/dist/testing/own-nats.js';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const joined = JSON.parse(readFileSync(here('joined-stream.json'), 'utf8'));
const REGIONS = ['north', 'south'];

const folder = mkdtempSync(join(tmpdir(), 'landfall-regions-'));
const running = new Map();
const addresses = {};

/** Starts a server with a file of this folder. */
async function start(name) {
  const child = spawn(
    'nats-server',
    ['-c', here(name === 'centre' ? 'centre.conf' : 'region.conf')],
    {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        REGION: name,
        LISTEN: addresses[name],
        LEAFNODES: addresses.leafnodes,
        CENTRE: `nats-leaf://${addresses.leafnodes}`,
        STORE: join(folder, name),
      },
    },
  );
  running.set(name, child);
  await until(() => use(name, ({ manager }) => manager.getAccountInfo()));
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}

async function kill(name) {
  const child = running.get(name);
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Calls `work` with a connection to a server; undefined while it cannot be used. Fails if it has ended, or refuses. */
async function use(name, work) {
  assert(!hasEnded(running.get(name)), `nats-server of ${name} ended`);
  let connection;
  try {
    connection = await connect({ servers: addresses[name], timeout: 2000 });
    const manager = await jetstreamManager(connection, { timeout: 2000 });
    return await work({ manager, client: jetstream(connection, { timeout: 2000 }) });
  } catch (error) {
    if (error instanceof JetStreamApiError) throw error;
    return undefined;
  } finally {
    await connection?.close();
  }
}

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Publishes events with these numbers to the stream of a region, as the relay does. */
async function publish(region, from, to) {
  await until(() =>
    use(region, async ({ client }) => {
      for (let number = from; number < to; number++) {
        await client.publish('customs.goods-items.I.87', `${region} ${number}`, {
          msgID: `${region}-${number}`,
        });
      }
      return true;
    }),
  );
}

/** The texts of the joined stream in its order, once it has so many. */
async function readJoined(count) {
  let texts = [];
  await until(async () => {
    texts = await use('centre', async ({ manager, client }) => {
      const { state } = await manager.streams.info(joined.name);
      const consumer = await client.consumers.get(joined.name);
      const found = [];
      for await (const message of await consumer.fetch({ max_messages: state.messages })) {
        found.push(message.string());
      }
      return found;
    });
    return texts !== undefined && texts.length >= count;
  });
  return texts;
}

/** Asserts that a stream of a region has its own events alone. */
async function assertOwn(region, count) {
  let messages;
  await until(async () => {
    messages = await use(region, async ({ manager }) => {
      return (await manager.streams.info('GOODS_ITEMS')).state.messages;
    });
    return messages !== undefined;
  });
  assert.equal(messages, count, `messages in ${region}`);
}

/** Asserts that the joined stream has every event once, and those of each region in their order. */
async function assertJoined(counts) {
  const texts = await readJoined(Object.values(counts).reduce((sum, count) => sum + count, 0));
  for (const [region, count] of Object.entries(counts)) {
    assert.deepEqual(
      texts.filter((text) => text.startsWith(region)),
      Array.from({ length: count }, (_, number) => `${region} ${number}`),
    );
  }
}

describe('streams of two regions at a centre', { skip: await whyNoNats() }, () => {
  before(async () => {
    for (const name of [...REGIONS, 'centre', 'leafnodes']) {
      addresses[name] = `127.0.0.1:${await findPort('127.0.0.1', 0)}`;
    }
    for (const name of ['centre', ...REGIONS]) await start(name);
    for (const region of REGIONS) {
      await use(region, ({ manager }) =>
        manager.streams.add({ name: 'GOODS_ITEMS', subjects: ['customs.goods-items.>'] }),
      );
    }
    await until(() => use('centre', ({ manager }) => manager.streams.add(joined)));
  });

  after(async () => {
    for (const name of running.keys()) await kill(name);
    rmSync(folder, { recursive: true, force: true });
  });

  test('every event is there once, in the order of its region', async () => {
    await Promise.all(REGIONS.map((region) => publish(region, 0, 50)));
    await assertJoined({ north: 50, south: 50 });
    for (const region of REGIONS) await assertOwn(region, 50);
  });

  test('a region continues while the centre is lost, and the centre catches up', async () => {
    await kill('centre');
    await publish('north', 50, 80);
    await assertOwn('north', 80);
    await start('centre');
    await assertJoined({ north: 80, south: 50 });
  });

  test('the centre continues while a region is lost', async () => {
    await kill('south');
    await publish('north', 80, 100);
    await assertJoined({ north: 100, south: 50 });
    await start('south');
    await publish('south', 50, 60);
    await assertJoined({ north: 100, south: 60 });
    await assertOwn('south', 60);
  });
});
