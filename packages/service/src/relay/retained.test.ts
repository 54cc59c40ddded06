// The relay and retention: the relay resumes after messages whose entries were removed, and retention waits for it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { toRoutingSignalSubject } from '@landfall/contract';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { makeRemovalClock } from '../database/removal-clock.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { expireGoodsItems } from '../goods-items/expire-events.js';
import type { Gauge } from '../metrics/measure.js';
import { retainedKinds } from '../retention/retained-kinds.js';
import { Retention } from '../retention/retention.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';
import { readStream } from '../testing/relayed-messages.js';
import { appendSignals, readSignalIds } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';
import { type Relay, startRelay } from './relay.js';
import { relayedSignals } from './relayed-feeds.js';
import { startRelays } from './relays.js';

const noNats = await whyNoNats();
const OWNER = 'retained:1';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the relay and retention on ${name}`, { skip: skip || noNats }, () => {
    let nats: OwnNats;
    let database: Database;
    let watch: FeedWatch;
    let owner: number;
    let relay: Relay | undefined;
    let warnings: string[];

    beforeEach(async () => {
      warnings = [];
      nats = await startNats();
      database = await open();
      watch = new FeedWatch(database);
      owner = await organisationOf(database, OWNER);
    });
    afterEach(async () => {
      await relay?.close();
      watch.close();
      await database.close();
      await nats.remove();
    });

    const run = (text: string) => database.query({ name: '', text, values: [] });
    const note = (context: object, message: string) => {
      const { err } = context as { err?: Error };
      warnings.push(err?.message ?? message);
    };
    const start = () => {
      const log = { info: () => undefined, warn: note };
      relay = startRelay(database, watch, relayedSignals, { natsUrl: nats.url, replicas: 1, log });
    };
    const append = (count: number) => appendSignals(database, owner, count, watch);
    const ids = () => readSignalIds(database, owner);
    const relayed = async () =>
      (await readStream(nats.url, 'ROUTING_SIGNALS')).map(({ marker }) => marker);
    const untilRelayed = async (marker: string | undefined) => {
      assert(marker);
      await until(() => relay?.relaying === true);
      await until(async () => (await relayed()).at(-1) === marker);
    };
    const stop = async () => {
      await until(async () => (await relay?.progress())?.lag === 0);
      await relay?.close();
    };
    /** Runs retention on signals that are older than they are kept; what each measure says after it. */
    const expire = async (...signalStreams: string[]) => {
      await run(
        `update routing_signal set entry = '{"routingResult":{"documentIssueDate":"2020-01-01T00:00:00Z"}}'`,
      );
      const days = {
        statusRetention: 0,
        consignmentRetention: 0,
        unpresentedRetention: 0,
        goodsItemRetention: 0,
        documentRetention: 0,
        transportExpiry: 0,
        consignmentExpiry: 0,
        movementClosing: 0,
        messageRetention: 0,
      };
      const kinds = retainedKinds(
        { ...days, signalRetention: 1 },
        { database, audit: new AuditTrail(), clock: () => new Date() },
        (before) => expireGoodsItems(database, before, async () => 0),
        async () => signalStreams,
      );
      const retention = new Retention(
        database,
        kinds,
        makeRemovalClock(database),
        (error) => assert.ifError(error),
        note,
      );
      await retention.run();
      const waiting = retention.measures.find(
        (measure) => measure.name === 'landfall_retention_waiting_for_relay',
      ) as Gauge;
      await retention.close();
      return waiting.read();
    };

    test('the relay continues after a message whose entry was removed while it was away', async () => {
      await append(2);
      const [first, second] = await ids();
      start();
      await untilRelayed(second);
      await stop();
      await append(1);
      const [, , third] = await ids();
      await expire('ROUTING_SIGNALS');
      assert.deepEqual(await ids(), [third]);
      start();
      await untilRelayed(third);
      assert.deepEqual(await relayed(), [first, second, third]);
      assert.deepEqual(warnings, []);
    });

    test('it continues after an older end that NATS was restored to, and says that entries are missing', async () => {
      await append(4);
      const [first, , third] = await ids();
      start();
      await untilRelayed((await ids()).at(-1));
      await stop();
      await expire('ROUTING_SIGNALS');
      const [fourth] = await ids();
      assert.equal((await ids()).length, 1);
      const connection = await connect({ servers: nats.url });
      const { streams } = await jetstreamManager(connection);
      const { config } = await streams.info('ROUTING_SIGNALS');
      await streams.delete('ROUTING_SIGNALS');
      await streams.add(config);
      const set = headers();
      set.set('Landfall-Marker', first ?? '');
      const subject = toRoutingSignalSubject(OWNER);
      await jetstream(connection).publish(subject, '{}', { headers: set, msgID: first ?? '' });
      start();
      await untilRelayed(fourth);
      assert.deepEqual(await relayed(), [first, fourth]);
      assert.deepEqual(warnings, ['routing signals expired before they were relayed']);
      await stop();
      // At the position of the last one that was removed, another id is of another database.
      const other = third?.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) ?? '';
      const foreign = headers();
      foreign.set('Landfall-Marker', other);
      await jetstream(connection).publish(subject, '{}', { headers: foreign, msgID: other });
      await connection.close();
      start();
      await until(async () => warnings.some((warning) => warning.includes(other)));
    });

    test('it says what happened and what to do if NATS was restored to an older end without messages', async () => {
      await append(3);
      start();
      await untilRelayed((await ids()).at(-1));
      await stop();
      const connection = await connect({ servers: nats.url });
      const { streams } = await jetstreamManager(connection);
      const { config } = await streams.info('ROUTING_SIGNALS');
      await streams.delete('ROUTING_SIGNALS');
      await streams.add(config);
      await jetstream(connection).publish(toRoutingSignalSubject(OWNER), '{}');
      await streams.purge('ROUTING_SIGNALS');
      start();
      await until(async () =>
        warnings.some((warning) =>
          /ends with message 1 and has no messages, but message 3 was relayed.* delete the stream/.test(
            warning,
          ),
        ),
      );
      await stop();
      await streams.delete('ROUTING_SIGNALS');
      await connection.close();
      start();
      await untilRelayed((await ids()).at(-1));
    });

    /** A server that relays to a prefix, or to nothing. */
    const startServer = (prefix: string, natsUrl = '') =>
      startRelays(database, watch, 'routing-signals', {
        natsUrl,
        prefix,
        replicas: 1,
        log: { info: () => undefined, warn: note },
      });

    test('a server that relays nothing knows from the database that others do, whatever its prefix', async () => {
      for (const prefix of ['', 'other']) {
        const other = startServer(prefix);
        assert.deepEqual(await other.findStreams('routing-signals'), []);
        assert.equal(await other.countRelayed('routing-signals'), undefined);
        await other.close();
      }
      await append(2);
      start();
      await untilRelayed((await ids()).at(-1));
      await stop();
      for (const prefix of ['', 'other']) {
        const other = startServer(prefix);
        assert.deepEqual(await other.findStreams('routing-signals'), ['ROUTING_SIGNALS']);
        assert.equal(await other.countRelayed('routing-signals'), 2);
        assert.deepEqual(await other.findStreams('goods-items'), []);
        await other.close();
      }
    });

    test('what one of several prefixes does not have stays', async () => {
      await append(2);
      start();
      await untilRelayed((await ids()).at(-1));
      await stop();
      await append(3);
      // Another server takes over, with another prefix, and has everything in its stream.
      const north = startServer('north', nats.url);
      await until(async () => (await north.readProgress('routing-signals'))?.lag === 0);
      await north.close();
      const server = startServer('south');
      const streams = await server.findStreams('routing-signals');
      assert.deepEqual(streams, ['ROUTING_SIGNALS', 'north_ROUTING_SIGNALS']);
      assert.equal(await server.countRelayed('routing-signals'), 2);
      await server.close();
      const expected = await ids();
      await expire(...streams);
      assert.deepEqual(await ids(), expected.slice(2));
    });

    test('what is not relayed stays, and the log and a metric say so, until an operator decides otherwise', async () => {
      await append(5);
      const waiting = { labels: { kind: 'routing-signals' }, value: 1 };
      assert.deepEqual(await expire('ROUTING_SIGNALS'), [waiting]);
      assert.equal((await ids()).length, 5);
      assert.match(warnings.join(), /stays until it is relayed to NATS/);
      start();
      await untilRelayed((await ids()).at(-1));
      await stop();
      warnings.length = 0;
      assert.deepEqual(await expire('ROUTING_SIGNALS'), [{ ...waiting, value: 0 }]);
      assert.equal((await ids()).length, 1);
      // Without a relay, or with LANDFALL_RETENTION_WAITS_FOR_RELAY=off, nothing waits.
      await append(5);
      assert.deepEqual(await expire(), [{ ...waiting, value: 0 }]);
      assert.equal((await ids()).length, 1);
      assert.deepEqual(warnings, []);
      start();
      await untilRelayed((await ids()).at(-1));
    });
  });
}
