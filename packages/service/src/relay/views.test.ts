// What views show, relayed to a real NATS: the same as over HTTP, whoever dies and whenever a view changes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { type GoodsItemView, type ServiceStatus, toGoodsItemViewSubject } from '@landfall/contract';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Database } from '../database/database.js';
import { SESSION_LOCK } from '../database/locks.js';
import { compileView } from '../goods-items/compile-view.js';
import { readEvent } from '../goods-items/goods-item-event.js';
import { GoodsItemReader } from '../goods-items/goods-item-reader.js';
import { GoodsItemViews } from '../goods-items/goods-item-views.js';
import { makePublishBlock } from '../goods-items/publish-block.js';
import { writeView } from '../goods-items/view-queries.js';
import { testDatabases } from '../testing/databases.js';
import { makeMessage, toLines } from '../testing/goods-item-messages.js';
import { organisationOf } from '../testing/organisation-of.js';
import { whyNoNats } from '../testing/own-nats.js';
import {
  type RelayServer,
  startRelayedPlayground,
  startRelayServers,
} from '../testing/relay-suites.js';
import { listStreams, readStream } from '../testing/relayed-messages.js';
import { until } from '../testing/until.js';
import { untilEqual } from '../testing/until-equal.js';
import { makeMessages, makeView } from '../testing/view-model.js';
import { startTask } from './relay.js';
import { relayViews } from './relay-views.js';
import { relayedViews } from './relayed-feeds.js';
import { startRelays } from './relays.js';

const noNats = await whyNoNats();
const [, postgresql] = await testDatabases();
const PATH = '/api/declaration/feed/v1/goods-items';
const STREAM = 'GOODS_ITEM_VIEWS';
/** What random views and messages are made from. */
const SEED = Date.now() % 1_000_000;

/** A message of a subject: its marker, and a digest of its text, so that a failure can be read. */
type Read = `${string} ${string}`;
const toRead = (marker: string, text: string): Read =>
  `${marker} ${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;

/** The messages of an organisation in NATS. */
async function consume(url: string, organisation: string): Promise<Read[]> {
  const subject = toGoodsItemViewSubject(organisation);
  const messages = await readStream(url, STREAM);
  return messages
    .filter((message) => message.subject === subject)
    .map(({ marker, text }) => toRead(marker, text));
}

/** Waits until NATS has exactly these messages of an organisation. */
function waitFor(url: string, organisation: string, expected: () => Promise<Read[]>) {
  return untilEqual(() => consume(url, organisation), expected, `seed ${SEED}`);
}

for (const { name, skip, open } of await testDatabases()) {
  describe(`views in NATS from ${name}`, { skip: skip || noNats }, () => {
    const suite = startRelayedPlayground(open);
    const { metric } = suite;

    const publish = async (raw: string) => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const call = { as: 'authority', method: 'POST', raw, headers };
      const response = await suite.playground.call(PATH, call);
      assert.equal(response.status, 202, response.text);
    };
    const set = async (identity: string, view: GoodsItemView | undefined) => {
      const { organisation } = suite.playground.credentials(identity);
      const address = `/api/authority/v1/goods-item-views/${encodeURIComponent(organisation)}`;
      await suite.playground.call(address, { as: 'authority', method: 'DELETE' });
      if (view === undefined) return;
      const put = await suite.playground.call(address, {
        as: 'authority',
        method: 'PUT',
        body: view,
      });
      assert.equal(put.status, 200, put.text);
    };
    /** What an organisation reads over HTTP from the oldest message on. */
    const readAll = async (identity: string): Promise<Read[]> => {
      const { text } = await suite.playground.get(`${PATH}?limit=1000`, identity, {
        accept: 'application/x-ndjson',
      });
      const lines = text.split('\n').filter(Boolean);
      return lines.map((line) => toRead(JSON.parse(line).metadata.eventId, line));
    };
    /** A status is shared for some seconds, those of other numbers of hours are not. */
    const readStatus = async (hours: number) => {
      const path = `/api/authority/v1/service-status?hours=${hours}`;
      const { body } = await suite.playground.get(path, 'authority');
      // The cast is true because the response was checked against openapi.json.
      return body as ServiceStatus;
    };
    const readRelays = async () => (await readStatus(1)).relays.map((one) => one.name);
    const hasSame = (identity: string) =>
      waitFor(suite.nats.url, suite.playground.credentials(identity).organisation, () =>
        readAll(identity),
      );

    test('a reader of NATS gets what it gets over HTTP, also after its view has changed', async () => {
      assert.deepEqual(await listStreams(suite.nats.url), ['GOODS_ITEMS'], 'there is no view yet');
      // Nobody is told that nothing is relayed to them.
      const { text: metrics } = await suite.playground.call('/metrics');
      assert.equal(/^landfall_goods_item_views.*/m.exec(metrics)?.[0], undefined);
      assert.deepEqual(await readRelays(), ['goods-items']);
      let state = SEED;
      const random = () => {
        state = (state * 16_807 + 1) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const messages = [...makeMessages(random, 15)];
      await publish(toLines(messages.slice(0, 20)));
      for (let round = 0; round < 4; round++) {
        await set('statistics', makeView(random, messages));
        await set('authority', makeView(random, messages));
        await publish(toLines(messages.slice(20 + round * 8, 28 + round * 8)));
        await hasSame('statistics');
        await hasSame('authority');
      }
      // Whoever has no view any more sees everything in the other stream, and nothing of the view is left.
      await set('statistics', undefined);
      const { organisation } = suite.playground.credentials('statistics');
      await waitFor(suite.nats.url, organisation, async () => []);
      await publish(toLines([makeMessage()]));
      await hasSame('authority');
      assert.deepEqual(await consume(suite.nats.url, organisation), []);
    });

    test('after a reset, nothing of the earlier data is left', async () => {
      await suite.playground.playground.reset();
      // The stream is made anew.
      await until(
        async () => (await readStream(suite.nats.url, STREAM).catch(() => [])).length === 0,
      );
      await publish(toLines([makeMessage({ subheading: '220300' }), makeMessage()]));
      await set('statistics', { chapters: ['22'] });
      await hasSame('statistics');
      assert.equal(await metric('landfall_goods_item_views_relaying'), 1);
      await until(async () => (await metric('landfall_goods_item_views_relay_lag')) === 0);
      // Moving the clock writes the figures of this minute.
      await suite.playground.playground.setClock({ advance: 0 });
      const { relays, series, server } = await readStatus(2);
      const ofViews = relays.find((one) => one.name === 'goods-item-views');
      assert.deepEqual(ofViews, { name: 'goods-item-views', lag: 0, position: 2, server });
      assert.equal(series.points.at(-1)?.viewRelayLag, 0);
    });
  });
}

describe('two relays of views on one PostgreSQL', { skip: postgresql?.skip || noNats }, () => {
  const suite = startRelayServers();
  const { warnings, log, run } = suite;
  const readerOf = (database: Database) =>
    new GoodsItemReader(database, new GoodsItemViews(database));
  const first = () => suite.servers[0];
  const start = ({ database, watch }: RelayServer, reader = readerOf(database)) =>
    startTask(database, relayViews({ database, watch, names: relayedViews, reader }), {
      natsUrl: suite.nats.url,
      replicas: 1,
      log,
    });
  const publish = async (count: number) => {
    const { database, watch } = first();
    const events = Array.from({ length: count }, (_, index) => {
      const subheading = index % 3 === 0 ? '220300' : '870323';
      const read = readEvent(JSON.stringify(makeMessage({ subheading })), index);
      assert(read.valid);
      return read.event;
    });
    assert((await makePublishBlock(database, watch, () => new Date())(events)).published);
  };
  const set = async (organisation: string, view: GoodsItemView | undefined) => {
    const { database } = first();
    const id = await organisationOf(database, organisation);
    const change = { at: new Date(), organisation, client: 'test' };
    await database.query(writeView(id, view, change));
  };
  const shown = async (view: GoodsItemView): Promise<Read[]> => {
    const current = { organisation: 0, version: Math.random(), view, ...compileView(view) };
    const found = await readerOf(first().database).findShown(current, 0, 100_000, 1e9);
    assert(!found.more);
    return found.shown.map(({ id, text }) => toRead(id, text));
  };
  const spirits = { chapters: ['22'], members: ['GoodsItem.NetMass'] } satisfies GoodsItemView;
  const cars = { chapters: ['87'] } satisfies GoodsItemView;

  test('each message comes once and in order while sessions and NATS are killed and views change', async () => {
    const relays = suite.servers.map((server) => start(server));
    await publish(500);
    await set('0192:1', spirits);
    await set('0192:2', spirits);
    for (let round = 0; round < 4; round++) {
      await publish(300);
      await run(`
        select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and classid = ${SESSION_LOCK} and granted`);
      if (round === 1) await suite.nats.kill();
      // In the middle of what is relayed of the view before.
      await set('0192:2', round % 2 === 0 ? cars : spirits);
      await publish(300);
      if (round === 2) await suite.nats.start();
    }
    await waitFor(suite.nats.url, '0192:1', () => shown(spirits));
    await waitFor(suite.nats.url, '0192:2', () => shown(spirits));
    // A view that was changed while nobody relayed, and one that was removed.
    await until(async () => (await relays[0]?.progress())?.lag === 0);
    // The one that relays last: otherwise the other one takes over, and begins after the last message that is shown.
    relays.sort((one, other) => Number(one.relaying) - Number(other.relaying));
    for (const relay of relays) await relay.close();
    const settings = { natsUrl: '', prefix: '', replicas: 1, log };
    const { database, watch } = first();
    const other = startRelays(database, watch, 'goods-items', settings);
    // A server that relays nothing removes nothing that a view does not have yet.
    assert.equal(await other.countRelayedToViews(), 500 + 4 * 600);
    await set('0192:1', cars);
    await set('0192:2', undefined);
    await publish(10);
    await run('delete from relay_position');
    const relay = start(first());
    await waitFor(suite.nats.url, '0192:1', () => shown(cars));
    await waitFor(suite.nats.url, '0192:2', async () => []);
    await until(async () => (await relay.progress()).lag === 0);
    assert.equal(await other.countRelayedToViews(), 500 + 4 * 600 + 10);
    await other.close();
    await relay.close();
  });

  test('a message of a server that has lost the lock is found and removed', async () => {
    const relay = start(first());
    await until(() => relay.relaying);
    const connection = await connect({ servers: suite.nats.url });
    const [[marker = ''] = []] = (await shown(spirits)).map((one) => one.split(' '));
    const { headers } = await import('@nats-io/transport-node');
    const late = headers();
    late.set('Landfall-Marker', marker);
    late.set('Landfall-View', '1');
    await jetstream(connection).publish(toGoodsItemViewSubject('0192:1'), '{}', { headers: late });
    await waitFor(suite.nats.url, '0192:1', () => shown(cars));
    assert.match(warnings.join('\n'), /ends at \d+, and not at \d+ as it was relayed/);
    await relay.close();
    await connection.close();
  });

  test('a consumer of an organisation reads its subject alone, and goes on after a change', async () => {
    const relay = start(first());
    await until(() => relay.relaying);
    const connection = await connect({ servers: suite.nats.url });
    const manager = await jetstreamManager(connection);
    await manager.consumers.add(STREAM, {
      durable_name: '0192_1',
      filter_subject: toGoodsItemViewSubject('0192:1'),
      ack_policy: AckPolicy.Explicit,
    });
    const consumer = await jetstream(connection).consumers.get(STREAM, '0192_1');
    const readNext = async (count: number) => {
      const read: Read[] = [];
      for await (const message of await consumer.fetch({ max_messages: count, expires: 30_000 })) {
        message.ack();
        const marker = message.headers?.get('Landfall-Marker') ?? '';
        read.push(toRead(marker, message.string()));
      }
      return read;
    };
    const before = await shown(cars);
    assert.deepEqual(await readNext(before.length), before);
    await set('0192:2', cars);
    await set('0192:1', spirits);
    const expected = await shown(spirits);
    assert.deepEqual(await readNext(expected.length), expected);
    await relay.close();
    await connection.close();
  });

  test('a view is filled anew when it is another one under the same version', async () => {
    const narrow = (view: GoodsItemView) =>
      run(`
        update goods_item_view v set conditions = '${JSON.stringify(view)}' from organisation o
        where o.id = v.organisation_id and o.identifier = '0192:1'`);
    await narrow(cars);
    const relay = start(first());
    await waitFor(suite.nats.url, '0192:1', () => shown(cars));
    await narrow(spirits);
    await waitFor(suite.nats.url, '0192:1', () => shown(spirits));
    await relay.close();
  });

  test('neither a view that cannot be read nor messages of others stop what other views show', async () => {
    const connection = await connect({ servers: suite.nats.url });
    const { headers } = await import('@nats-io/transport-node');
    const strange = headers();
    strange.set('Landfall-Marker', crypto.randomUUID());
    const subjects = ['0192:1', '0192:9'].map(toGoodsItemViewSubject);
    for (const subject of [...subjects, 'customs.goods-item-views.a_b_']) {
      await jetstream(connection).publish(subject, '{}', { headers: strange });
    }
    const unreadable: unknown = { chapters: '22' };
    await set('0192:0', unreadable as GoodsItemView);
    const unusable: unknown = { members: 7 };
    await set('0192:8', unusable as GoodsItemView);
    const relay = start(first());
    await waitFor(suite.nats.url, '0192:1', () => shown(spirits));
    await publish(10);
    await waitFor(suite.nats.url, '0192:1', () => shown(spirits));
    assert.equal((await consume(suite.nats.url, '0192:9')).length, 1);
    assert.match(warnings.join('\n'), /goods items of one view are not relayed to NATS: malformed/);
    assert.match(
      warnings.join('\n'),
      /of one view are not relayed to NATS: the view cannot be applied/,
    );
    assert.equal(relay.held, 2);
    const { lag, behind } = await relay.progress();
    assert(lag > 10, `${lag}`);
    assert.equal(behind, '0192:0');
    await set('0192:8', undefined);
    await set('0192:0', spirits);
    await waitFor(suite.nats.url, '0192:0', () => shown(spirits));
    await relay.close();
    await connection.close();
  });

  test('what was found is stored before views are searched that take long', async () => {
    const others = ['0192:3', '0192:4', '0192:5', '0192:6', '0192:7'];
    for (const other of others) await set(other, spirits);
    const stored: number[] = [];
    class SlowReader extends GoodsItemReader {
      override async findShown(...asked: Parameters<GoodsItemReader['findShown']>) {
        stored.push((await consume(suite.nats.url, '0192:3')).length);
        await new Promise((resolve) => setTimeout(resolve, 300));
        return super.findShown(...asked);
      }
    }
    const { database } = first();
    const relay = start(first(), new SlowReader(database, new GoodsItemViews(database)));
    await until(async () => (await relay.progress()).lag === 0);
    assert.equal(stored[0], 0);
    // Five views are searched.
    assert((stored[4] ?? 0) > 0, String(stored));
    await relay.close();
    for (const other of others) await set(other, undefined);
  });

  test('nothing is removed that a view does not have, between what it showed and what it shows', async () => {
    for (const other of ['0192:0', '0192:2']) await set(other, undefined);
    await set('0192:1', spirits);
    await publish(30);
    const relay = start(first());
    await waitFor(suite.nats.url, '0192:1', () => shown(spirits));
    await until(async () => (await relay.progress()).lag === 0);
    for (const other of ['0192:0', '0192:2']) await waitFor(suite.nats.url, other, async () => []);
    const connection = await connect({ servers: suite.nats.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.update(STREAM, { deny_purge: true });
    const { database, watch } = first();
    const settings = { natsUrl: '', prefix: '', replicas: 1, log };
    const other = startRelays(database, watch, 'goods-items', settings);
    assert(((await other.countRelayedToViews()) ?? 0) >= 30);
    warnings.length = 0;
    await set('0192:1', cars);
    await until(() => warnings.length > 0);
    assert.match(
      warnings.join('\n'),
      /^goods items of one view are not relayed to NATS: the messages of .*0192_1 were not removed/,
    );
    assert.equal(await other.countRelayedToViews(), 0);
    // No other view waits for it.
    await set('0192:3', spirits);
    await waitFor(suite.nats.url, '0192:3', () => shown(spirits));
    assert.equal(relay.held, 1);
    assert.equal((await relay.progress()).behind, '0192:1');
    await other.close();
    await relay.close();
    await connection.close();
  });
});
