// The relay with a real NATS: in order, each event once, whoever dies.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { SESSION_LOCK } from '../database/locks.js';
import { readEvent } from '../goods-items/goods-item-event.js';
import { makePublishBlock } from '../goods-items/publish-block.js';
import { drawnDatabases, testDatabases } from '../testing/databases.js';
import { makeBareRemoval, makeMessage } from '../testing/goods-item-messages.js';
import { whyNoNats } from '../testing/own-nats.js';
import { startRelayedPlayground, startRelayServers } from '../testing/relay-suites.js';
import { readStream } from '../testing/relayed-messages.js';
import { until } from '../testing/until.js';
import { openRelayStream } from './jetstream.js';
import { type Relay, startRelay } from './relay.js';
import { relayedGoodsItems } from './relayed-feeds.js';
import { readInstallation } from './stream-mark.js';

const noNats = await whyNoNats();
const [, postgresql] = await testDatabases();

const consume = (url: string) => readStream(url, 'GOODS_ITEMS');
const count = (messages: number) => Array.from({ length: messages }, () => makeMessage());
const idsOf = (messages: readonly GoodsItemMessage[]) =>
  messages.map(({ metadata }) => metadata.eventId);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`relay to NATS from ${name}`, { skip: skip || noNats }, () => {
    const suite = startRelayedPlayground(open);
    const { metric } = suite;
    const publish = async (messages: readonly GoodsItemMessage[]) => {
      const response = await suite.playground.post(
        '/api/declaration/feed/v1/goods-items',
        'authority',
        messages,
      );
      assert.equal(response.status, 202, response.text);
    };

    test('events come out of NATS as they were published, with their subjects, and the lag is reported', async () => {
      const added = makeMessage({ subheading: '030214', direction: 'O' });
      const messages = [added, makeMessage({ number: 7 }), makeBareRemoval(added.metadata.eventId)];
      await publish(messages);
      await until(async () => (await metric('landfall_goods_items_relay_lag')) === 0);
      assert.equal(await metric('landfall_goods_items_relaying'), 1);
      assert.deepEqual(
        await consume(suite.nats.url),
        messages.map((message, index) => ({
          marker: message.metadata.eventId,
          subject: ['customs.goods-items.O.03', 'customs.goods-items.I.87'][index % 2],
          text: JSON.stringify(message),
        })),
      );
    });

    test('when NATS is killed and comes back, nothing is lost and nothing comes twice', async () => {
      const before = (await consume(suite.nats.url)).map(({ marker }) => marker);
      const messages = count(3000);
      for (let start = 0; start < 3000; start += 300) {
        await publish(messages.slice(start, start + 300));
        if (start === 900) await suite.nats.kill();
        if (start === 2100) await suite.nats.start();
      }
      await until(async () => (await metric('landfall_goods_items_relay_lag')) === 0);
      assert.deepEqual(
        (await consume(suite.nats.url)).map(({ marker }) => marker),
        [...before, ...idsOf(messages)],
      );
    });
  });
}

describe('two relays on one PostgreSQL', { skip: postgresql?.skip || noNats }, () => {
  const suite = startRelayServers();
  const { warnings, log, run } = suite;
  const start = (server: 0 | 1, replicas = 1): Relay => {
    const { database, watch } = suite.servers[server];
    return startRelay(database, watch, relayedGoodsItems, {
      natsUrl: suite.nats.url,
      replicas,
      log,
    });
  };
  const publish = async (messages: readonly GoodsItemMessage[]) => {
    const { database, watch } = suite.servers[0];
    const events = messages.map((message, index) => {
      const read = readEvent(JSON.stringify(message), index);
      assert(read.valid);
      return read.event;
    });
    const outcome = await makePublishBlock(database, watch, () => new Date())(events);
    assert(outcome.published);
  };
  const all: string[] = [];
  const publishMore = async (messages: readonly GoodsItemMessage[]) => {
    all.push(...idsOf(messages));
    await publish(messages);
  };
  const relayed = async (relay: Relay) => {
    await until(async () => (await relay.progress()).lag === 0);
    assert.deepEqual(
      (await consume(suite.nats.url)).map(({ marker }) => marker),
      all,
    );
  };

  test('one server relays; when its session dies the other resumes, and each event is relayed once', async () => {
    const relays = [start(0), start(1)];
    await until(() => relays.some(({ relaying }) => relaying));
    for (let round = 0; round < 4; round++) {
      await publishMore(count(400));
      assert(relays.filter(({ relaying }) => relaying).length <= 1);
      await run(`
        select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and classid = ${SESSION_LOCK} and granted`);
      await publishMore(count(400));
    }
    const [one, other] = relays;
    assert(one && other);
    await relayed(one);
    await one.close();
    await publishMore(count(10));
    await until(() => other.relaying);
    await relayed(other);
    await other.close();
  });

  test('the relay resumes from the end of the stream, whatever was recorded, also after the window for duplicates', async () => {
    const connection = await connect({ servers: suite.nats.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.update('GOODS_ITEMS', { duplicate_window: 100e6, max_age: 3600e9 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const note of ['delete from relay_position', 'update relay_position set position = 5']) {
      await run(note);
      const relay = start(1);
      await publishMore(count(20));
      await relayed(relay);
      await relay.close();
    }
    const { config } = await manager.streams.info('GOODS_ITEMS');
    assert.equal(config.max_age, 3600e9, 'a stream that is there is not changed');

    await manager.streams.purge('GOODS_ITEMS');
    all.length = 0;
    const relay = start(0);
    await publishMore(count(20));
    await relayed(relay);
    await relay.close();
    await connection.close();
  });

  test('a stream with fewer replicas than configured is used, and the log says so', async () => {
    const relay = start(0, 3);
    await publishMore(count(20));
    await relayed(relay);
    await relay.close();
    assert.match(warnings.join(), /fewer servers than configured.*"replicas":1,"configured":3/);
  });

  test('a server that no longer holds the lock can store nothing', async () => {
    const settings = { stream: 'GOODS_ITEMS', subjects: 'customs.goods-items.>', replicas: 1 };
    const installation = await readInstallation(suite.servers[0].database);
    const [stale, current] = [
      await openRelayStream(suite.nats.url, settings, installation),
      await openRelayStream(suite.nats.url, settings, installation),
    ];
    const { sequence } = await stale.end();
    const event = (id: string) => ({
      subject: 'customs.goods-items.I.01',
      id,
      marker: id,
      entry: '{}',
    });
    await current.store(event('first'), sequence);
    await assert.rejects(stale.store(event('second'), sequence));
    await assert.rejects(stale.store(event('third'), sequence + 7));
    assert.equal((await stale.end()).sequence, sequence + 1);
    await stale.close();
    await current.close();
  });

  test('a stream that ends with what is not of this database is left alone', async () => {
    const connection = await connect({ servers: suite.nats.url });
    for (const foreign of [crypto.randomUUID(), "it's foreign"]) {
      await jetstream(connection).publish('customs.goods-items.I.01', '{}', { msgID: foreign });
      const relay = start(0);
      await until(() => warnings.some((warning) => warning.includes(foreign)));
      await publish(count(3));
      assert.equal((await consume(suite.nats.url)).at(-1)?.marker, foreign);
      await relay.close();
    }
    await connection.close();
  });
});
