// Installations that share one NATS: none stores to the streams of another, or removes what is in them.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { relayNames, relays } from '@landfall/contract';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { readEvent } from '../goods-items/goods-item-event.js';
import { makePublishBlock } from '../goods-items/publish-block.js';
import { writeView } from '../goods-items/view-queries.js';
import { drawnDatabases } from '../testing/databases.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import { organisationOf } from '../testing/organisation-of.js';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';
import { listStreams, makeStream, readStream } from '../testing/relayed-messages.js';
import { appendSignals } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';
import { type Relays, startRelays } from './relays.js';

const noNats = await whyNoNats();

/** A database with an entry of everything that is relayed, and its relays. */
type Installed = {
  database: Database;
  watch: FeedWatch;
  relays: Relays | undefined;
  warnings: string[];
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`installations that share NATS, on ${name}`, { skip: skip || noNats }, () => {
    let nats: OwnNats;
    let installed: Installed[];
    before(async () => {
      nats = await startNats();
    });
    after(() => nats.remove());
    beforeEach(() => {
      installed = [];
    });
    afterEach(async () => {
      for (const { relays: started, watch, database } of installed) {
        await started?.close();
        watch.close();
        await database.close();
      }
      const connection = await connect({ servers: nats.url });
      const { streams } = await jetstreamManager(connection);
      for (const stream of await listStreams(nats.url)) await streams.delete(stream);
      await connection.close();
    });

    const install = async (): Promise<Installed> => {
      const database = await open();
      const watch = new FeedWatch(database);
      const one: Installed = { database, watch, relays: undefined, warnings: [] };
      installed.push(one);
      const owner = await organisationOf(database, '0192:1');
      await appendSignals(database, owner, 2, watch);
      const read = readEvent(JSON.stringify(makeMessage({ subheading: '220300' })), 0);
      assert(read.valid);
      const publish = makePublishBlock(database, watch, () => new Date());
      assert((await publish([read.event])).published);
      const change = { at: new Date(), organisation: '0192:1', client: 'test' };
      await database.query(writeView(owner, { chapters: ['22'] }, change));
      return one;
    };
    const start = (one: Installed, prefix = '') => {
      one.relays = startRelays(one.database, one.watch, 'all', {
        natsUrl: nats.url,
        prefix,
        replicas: 1,
        log: {
          info: () => undefined,
          warn: (context: object) => {
            const { err } = context as { err?: Error };
            one.warnings.push(err?.message ?? '');
          },
        },
      });
    };
    const untilRelayed = async (one: Installed) => {
      for (const relay of relayNames) {
        await until(async () => (await one.relays?.readProgress(relay))?.lag === 0);
      }
    };
    const readAll = async (prefix = '') => {
      const streams = relayNames.map((relay) => `${prefix}${relays[relay].stream}`);
      return Promise.all(streams.map((stream) => readStream(nats.url, stream)));
    };

    test('one with the streams of another relays nothing, changes nothing, and says what it needs', async () => {
      const [first, second] = [await install(), await install()];
      start(first);
      await untilRelayed(first);
      const expected = await readAll();
      for (const messages of expected) assert(messages.length > 0);
      start(second);
      const refused = () =>
        relayNames.filter((relay) =>
          second.warnings.some((warning) =>
            warning.startsWith(
              `the stream ${relays[relay].stream} is that of another installation: each that shares a NATS needs a LANDFALL_NATS_PREFIX`,
            ),
          ),
        );
      await until(() => refused().length === relayNames.length);
      assert.deepEqual(await readAll(), expected);
      await second.relays?.close();
      start(second, 'second');
      await untilRelayed(second);
      assert.deepEqual(
        (await readAll('second_')).map(({ length }) => length),
        expected.map(({ length }) => length),
      );
      assert.deepEqual(await readAll(), expected);
      assert.deepEqual(first.warnings, []);
    });

    test('it goes on after a failover, which begins another history of its database', async () => {
      const one = await install();
      start(one);
      await untilRelayed(one);
      await one.relays?.close();
      // The history that has begun since then is another one, whose name is later.
      await one.database.query({
        name: '',
        text: `insert into primary_history (timeline) values ('FFFFFFFF')`,
        values: [],
      });
      await appendSignals(one.database, await organisationOf(one.database, '0192:1'), 1, one.watch);
      start(one);
      await until(async () => (await readStream(nats.url, 'ROUTING_SIGNALS')).length === 3);
      assert.deepEqual(one.warnings, []);
    });

    test('a stream that an operator has made is marked, and keeps its description', async () => {
      const one = await install();
      const { stream } = relays['routing-signals'];
      await makeStream(nats.url, stream, ['customs.routing-signals.*'], 'Ours.');
      start(one);
      await untilRelayed(one);
      const connection = await connect({ servers: nats.url });
      const { streams } = await jetstreamManager(connection);
      const { config } = await streams.info(stream);
      await connection.close();
      assert.match(config.description ?? '', /^Ours\. landfall-installation: [\da-f-]{36}$/);
      const other = await install();
      start(other);
      await until(() =>
        other.warnings.some((warning) => warning.includes(`the stream ${stream} `)),
      );
    });
  });
}
