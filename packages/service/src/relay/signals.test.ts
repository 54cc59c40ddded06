// Routing signals in JetStream: a subject for each organisation, whose sequence is that of its feed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RoutingSignal, toRoutingSignalSubject } from '@landfall/contract';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Database, Statement } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases, testDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';
import { startRelayedPlayground } from '../testing/relay-suites.js';
import { type RelayedMessage, readStream } from '../testing/relayed-messages.js';
import { appendSignals, readSignalIds } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';
import { untilEqual } from '../testing/until-equal.js';
import type { RelayedRow } from './queries.js';
import { type Relay, startRelay } from './relay.js';
import { relayedSignals } from './relayed-feeds.js';

const noNats = await whyNoNats();
const log = { info: () => undefined, warn: () => undefined };
const read = (nats: OwnNats) => readStream(nats.url, 'ROUTING_SIGNALS');
const ofOrganisation = (messages: readonly RelayedMessage[], identifier: string) =>
  messages.filter(({ subject }) => subject === toRoutingSignalSubject(identifier));

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`relayed routing signals on ${name}`, { skip: skip || noNats }, () => {
    const suite = startRelayedPlayground(open, 'all');
    const { metric } = suite;

    test('each organisation has what its feed has, with the marker as the id of the message', async () => {
      const { nats, playground } = suite;
      for (const who of ['forwarder', 'carrier']) {
        for (const containerId of ['JARU0000010', 'JARU0000026']) {
          const { status } = await playground.present('container', who, { containerId });
          assert.equal(status, 202);
        }
      }
      await until(async () => (await metric('landfall_routing_signals_relay_lag')) === 0);
      const messages = await read(nats);
      for (const who of ['forwarder', 'carrier']) {
        const { body } = await playground.get('/api/movement/routing/v1/house-consignment', who);
        const signals = body as RoutingSignal[];
        assert(signals.length > 0);
        const { organisation } = playground.credentials(who);
        assert.deepEqual(
          ofOrganisation(messages, organisation).map(({ marker, text }) => [
            marker,
            JSON.parse(text),
          ]),
          signals.map((signal) => [signal.routingResult.id, signal]),
        );
      }
      assert.equal(await metric('landfall_routing_signals_relaying'), 1);
    });
  });
}

describe('the relay of many organisations', { skip: noNats }, () => {
  let nats: OwnNats;
  let database: Database;
  let watch: FeedWatch;
  let relay: Relay | undefined;
  const statements: Statement[] = [];
  before(async () => {
    nats = await startNats();
    const [embedded] = await testDatabases();
    const opened = (await embedded?.open()) ?? assert.fail();
    database = {
      ...opened,
      query: (statement) => {
        statements.push(statement);
        return opened.query(statement);
      },
    };
    watch = new FeedWatch(database);
    await run(`
      insert into organisation (identifier)
      select 'many:' || number from generate_series(1, 1200) as number`);
  });
  after(async () => {
    await relay?.close();
    watch.close();
    await database.close();
    await nats.remove();
  });
  const run = <Row extends object>(text: string) =>
    database.query<Row>({ name: '', text, values: [] });
  const start = () => {
    relay = startRelay(database, watch, relayedSignals, { natsUrl: nats.url, replicas: 1, log });
    return relay;
  };
  /** The recorded lag is 0 also where the stream has lost what was recorded. */
  const expectRelayed = async (...identifiers: string[]) => {
    const markersOf = async (identifier: string) =>
      readSignalIds(database, await organisationOf(database, identifier));
    const readMarkers = async () => {
      const messages = await read(nats);
      return identifiers.map((identifier) =>
        ofOrganisation(messages, identifier).map(({ marker }) => marker),
      );
    };
    await untilEqual(readMarkers, () => Promise.all(identifiers.map(markersOf)));
    await until(async () => (await relay?.progress())?.lag === 0);
  };

  test('one with very many signals does not delay the others', async () => {
    const [large, small, late] = [
      await organisationOf(database, 'many:1'),
      await organisationOf(database, 'many:1200'),
      await organisationOf(database, 'many:600'),
    ];
    await appendSignals(database, large, 20_000);
    await appendSignals(database, small, 3);
    const { progress } = start();
    await until(async () => (await progress()).relayed > 0);
    await appendSignals(database, late, 3, watch);
    await expectRelayed('many:1', 'many:1200', 'many:600');
    const messages = await read(nats);
    assert.equal(messages.length, 20_006);
    const lastIndex = (identifier: string) =>
      messages.findLastIndex(({ subject }) => subject === toRoutingSignalSubject(identifier));
    assert(lastIndex('many:1200') < 6000, `${lastIndex('many:1200')}`);
    assert(lastIndex('many:600') < 20_000, `${lastIndex('many:600')}`);
  });

  test('only what has grown is read, and what was not announced is found, also of a new organisation', async () => {
    const found = await organisationOf(database, 'many:700');
    statements.length = 0;
    await appendSignals(database, found, 2, watch);
    await expectRelayed('many:700');
    const reads = statements.filter(({ name }) => name === 'relay-candidates-routing_signal');
    assert.deepEqual(
      reads.map(({ values }) => values[0]),
      [[found]],
    );
    const unannounced = await organisationOf(database, "a new one, with 'signs' * > .");
    await appendSignals(database, unannounced, 2);
    await appendSignals(database, await organisationOf(database, 'many:1100'), 2);
    await expectRelayed("a new one, with 'signs' * > .", 'many:1100');
  });

  test('it resumes from the stream, whatever was recorded, also after the window for duplicates', async () => {
    const connection = await connect({ servers: nats.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.update('ROUTING_SIGNALS', { duplicate_window: 100e6 });
    await connection.close();
    const owner = await organisationOf(database, 'many:5');
    await appendSignals(database, owner, 30, watch);
    await expectRelayed('many:5');
    const recorded = await run<RelayedRow>('select * from relay_position order by owner');
    for (const change of [
      'delete from relay_position',
      // The record of the last messages is missing.
      `update relay_position set position = position - 15, sequence = sequence - 15 where owner = ${owner}`,
    ]) {
      await relay?.close();
      await run(change);
      await appendSignals(database, owner, 10);
      start();
      await expectRelayed('many:1', 'many:5', 'many:700', 'many:1100');
      const after = await run<RelayedRow>('select * from relay_position order by owner');
      assert.deepEqual(
        after.map((row) => row.owner),
        recorded.map((row) => row.owner),
      );
    }
  });

  test('what the stream has lost after it was acknowledged is relayed again', async () => {
    const owner = await organisationOf(database, 'many:5');
    await relay?.close();
    const before = await read(nats);
    await appendSignals(database, owner, 10);
    // As if the ten had been stored, acknowledged and recorded, and then been lost with the disks of NATS.
    await run(`
      update relay_position set position = position + 10, sequence = sequence + 10
      where owner = ${owner}`);
    start();
    await expectRelayed('many:1', 'many:5', 'many:700');
    assert.equal((await read(nats)).length, before.length + 10);
  });

  test('it resumes after the last messages of the stream were purged', async () => {
    const owner = await organisationOf(database, 'many:5');
    await appendSignals(database, owner, 3, watch);
    await expectRelayed('many:5');
    await relay?.close();
    const connection = await connect({ servers: nats.url });
    const { streams } = await jetstreamManager(connection);
    await streams.purge('ROUTING_SIGNALS', { filter: toRoutingSignalSubject('many:5') });
    await connection.close();
    const { length } = await read(nats);
    await appendSignals(database, owner, 2);
    start();
    await until(async () => (await read(nats)).length === length + 2);
    const markers = ofOrganisation(await read(nats), 'many:5').map(({ marker }) => marker);
    assert.deepEqual(markers, (await readSignalIds(database, owner)).slice(-2));
  });

  test('what is lost while nothing is appended is relayed again', async () => {
    const connection = await connect({ servers: nats.url });
    const { streams } = await jetstreamManager(connection);
    const { config } = await streams.info('ROUTING_SIGNALS');
    await streams.delete('ROUTING_SIGNALS');
    await streams.add(config);
    await connection.close();
    await until(async () => (await read(nats)).length > 0);
    await expectRelayed('many:1', 'many:5', 'many:700');
  });
});
