// The relay to a JetStream cluster of three under load, while its servers and the network fail: every feed is in the
// stream once, in its order and without a gap, and the relay continues by itself.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toRoutingSignalSubject } from '@landfall/contract';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { testDatabases } from '../testing/databases.js';
import { type FreezingProxy, startFreezingProxy } from '../testing/freezing-proxy.js';
import { organisationOf } from '../testing/organisation-of.js';
import { whyNoNats } from '../testing/own-nats.js';
import { type OwnNatsCluster, startNatsCluster } from '../testing/own-nats-cluster.js';
import { type RelayedMessage, readStream } from '../testing/relayed-messages.js';
import { appendSignals, readSignalIds } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';
import { type Relay, startRelay } from './relay.js';
import { relayedSignals } from './relayed-feeds.js';

const STREAM = 'ROUTING_SIGNALS';

describe('relay to a cluster', { skip: await whyNoNats() }, () => {
  let cluster: OwnNatsCluster;
  let proxies: FreezingProxy[];
  let database: Database;
  let watch: FeedWatch;
  let relay: Relay;
  const owners = new Map<string, number>();
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: (_: object, message: string) => void warnings.push(message),
  };
  before(async () => {
    cluster = await startNatsCluster();
    proxies = await Promise.all(cluster.url.split(',').map((url) => startFreezingProxy(url)));
    const [embedded] = await testDatabases();
    database = (await embedded?.open()) ?? assert.fail();
    watch = new FeedWatch(database);
    for (const number of [1, 2, 3, 4, 5]) {
      const identifier = `0192:${number}`;
      owners.set(identifier, await organisationOf(database, identifier));
    }
    const natsUrl = proxies.map(({ url }) => url).join(',');
    relay = startRelay(database, watch, relayedSignals, { natsUrl, replicas: 3, log });
  });
  after(async () => {
    await relay.close();
    watch.close();
    await database.close();
    for (const proxy of proxies) await proxy.close();
    await cluster.remove();
  });

  const lag = async () => (await relay.progress()).lag;
  const expectAllRelayed = async () => {
    await until(async () => (await lag()) === 0);
    const expected = new Map<string, string[]>();
    for (const [identifier, owner] of owners) {
      expected.set(toRoutingSignalSubject(identifier), await readSignalIds(database, owner));
    }
    const total = [...expected.values()].reduce((sum, { length }) => sum + length, 0);
    let messages: RelayedMessage[] = [];
    // While a server returns, the stream may not respond, and a new leader may not show all that it has.
    await until(async () => {
      messages = await readStream(cluster.url, STREAM).catch(() => []);
      return messages.length >= total;
    });
    for (const [subject, ids] of expected) {
      const markers = messages.filter((message) => message.subject === subject);
      assert.deepEqual(
        markers.map(({ marker }) => marker),
        ids,
      );
    }
  };
  /** Appends while something fails, until all that was appended before and meanwhile is relayed. */
  const underLoad = async (fail: () => Promise<unknown>) => {
    let isOver = false;
    const failing = fail().finally(() => {
      isOver = true;
    });
    for (let round = 0; !isOver; round++) {
      for (const owner of owners.values())
        await appendSignals(database, owner, 1 + (round % 40), watch);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await failing;
    await expectAllRelayed();
  };
  /** Resolves while many messages are in flight. */
  const untilInFlight = async () => {
    const [first] = owners.values();
    const { relayed } = await relay.progress();
    await appendSignals(database, first ?? 0, 6000, watch);
    await until(async () => (await relay.progress()).relayed > relayed);
  };
  /** Signals that are appended from now on are relayed. */
  const relays = async () => {
    const { relayed } = await relay.progress();
    await until(async () => (await relay.progress()).relayed > relayed + 100);
  };

  test('a stream is created with the configured replicas', async () => {
    await appendSignals(database, owners.get('0192:1') ?? 0, 100, watch);
    await expectAllRelayed();
    const connection = await cluster.connect();
    const { config } = await (await jetstreamManager(connection)).streams.info(STREAM);
    await connection.close();
    assert.equal(config.num_replicas, 3);
    assert.equal(config.storage, 'file');
  });

  for (const [whose, stream] of [
    ["the stream's leader", STREAM],
    ["the cluster's leader", undefined],
  ] as const) {
    test(`${whose} is killed`, async () => {
      const name = await cluster.leader(stream);
      await underLoad(async () => {
        await untilInFlight();
        await cluster.kill(name);
        await relays();
        cluster.start(name);
        await relays();
      });
    });
  }

  test('the leader is paused, and continues when another one has taken over', async () => {
    const name = await cluster.leader(STREAM);
    await underLoad(async () => {
      await untilInFlight();
      cluster.pause(name);
      await until(() => !relay.relaying);
      await relays();
      cluster.resume(name);
      await relays();
    });
  });

  test('acknowledgements are lost on the way', async () => {
    await underLoad(async () => {
      await untilInFlight();
      for (const proxy of proxies) proxy.freeze('responses');
      await until(() => !relay.relaying);
      await relays();
    });
  });

  test('without a majority nothing is relayed and the lag is reported; with it again, everything is', async () => {
    const name = await cluster.leader();
    const [other = ''] = ['n1', 'n2', 'n3'].filter((one) => one !== name);
    await underLoad(async () => {
      await relays();
      await Promise.all([cluster.kill(name), cluster.kill(other)]);
      await until(async () => !relay.relaying && (await lag()) > 300);
      cluster.start(name);
      cluster.start(other);
      await relays();
    });
    assert(warnings.some((warning) => warning === 'routing signals are not relayed to NATS'));
  });
});
