// The relay to streams at their limits: a full stream is said and not worn out, a full subject stops only its own feed, and
// everything follows in order when there is room again.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { toRoutingSignalSubject } from '@landfall/contract';
import { type JetStreamManager, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { testDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';
import { readStream } from '../testing/relayed-messages.js';
import { appendSignals, readSignalIds } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';
import { type Relay, startRelay } from './relay.js';
import { relayedSignals } from './relayed-feeds.js';

const STREAM = 'ROUTING_SIGNALS';
const LIMIT = 30;

describe('the relay to a stream at its limits', { skip: await whyNoNats() }, () => {
  let nats: OwnNats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let database: Database;
  let watch: FeedWatch;
  let relays: Relay[];
  let lines: string[];
  before(async () => {
    nats = await startNats();
    connection = await connect({ servers: nats.url });
    manager = await jetstreamManager(connection);
  });
  after(async () => {
    await connection.close();
    await nats.remove();
  });
  beforeEach(async () => {
    const [{ open } = assert.fail('no database')] = await testDatabases();
    database = await open();
    watch = new FeedWatch(database);
    relays = [];
    lines = [];
  });
  afterEach(async () => {
    for (const relay of relays) await relay.close();
    watch.close();
    await database.close();
    await manager.streams.delete(STREAM);
  });

  const note = (context: object, message: string) => {
    const { err } = context as { err?: Error };
    lines.push(err === undefined ? message : `${message}: ${err.message}`);
  };
  const start = () => {
    const log = { info: note, warn: note };
    relays.push(
      startRelay(database, watch, relayedSignals, { natsUrl: nats.url, replicas: 1, log }),
    );
  };
  const makeStream = (limits: Partial<StreamConfig>) =>
    manager.streams.add({
      name: STREAM,
      subjects: ['customs.routing-signals.*'],
      discard: 'new',
      ...limits,
    });
  const append = async (identifier: string, count: number) => {
    const owner = await organisationOf(database, identifier);
    await appendSignals(database, owner, count, watch);
    return owner;
  };
  const lag = async () => (await relays[0]?.progress())?.lag;
  const relayedTo = async (identifier: string) => {
    const subject = toRoutingSignalSubject(identifier);
    const messages = await readStream(nats.url, STREAM);
    return messages.filter((one) => one.subject === subject).map(({ marker }) => marker);
  };

  for (const [limits, room, reason] of [
    [{ max_msgs: LIMIT }, { max_msgs: -1 }, /maximum messages exceeded/],
    [{ max_bytes: 6000 }, { max_bytes: -1 }, /maximum bytes exceeded/],
  ] as const) {
    const [limit] = Object.keys(limits);
    test(`a full stream (${limit}) is said once by each server, and not tried ever faster`, async () => {
      await makeStream(limits);
      const owner = await append('limits:1', 3 * LIMIT);
      start();
      start();
      const failed = () => lines.filter((line) => reason.test(line)).length;
      await until(() => failed() === 2);
      // Once more by both, at least, with twice the wait each time.
      await delay(4000);
      assert.equal(failed(), 2, lines.join('\n'));
      assert.match(lines.join('\n'), /entry [\da-f-]{36} of \d+ bytes was not stored/);
      assert(lines.filter((line) => /^relaying/.test(line)).length <= 2, lines.join('\n'));
      await manager.streams.update(STREAM, room);
      await until(async () => (await lag()) === 0);
      assert.deepEqual(await relayedTo('limits:1'), await readSignalIds(database, owner));
      await until(() => /^relaying/.test(lines.at(-1) ?? ''));
    });
  }

  test('a subject that is full stops its own feed only, whatever the others have', async () => {
    await makeStream({ max_msgs_per_subject: LIMIT, discard_new_per_subject: true });
    const owners = new Map<string, number>();
    // Full before, at and after the turn of others, and within the same turn.
    for (const [number, more] of [1, -1, 0, 40, 0, -9, 1].entries()) {
      const identifier = `subject:${number}`;
      owners.set(identifier, await append(identifier, LIMIT + more));
    }
    start();
    const complete = async (isComplete: (sent: string[], ids: string[]) => void) => {
      for (const [identifier, owner] of owners) {
        isComplete(await relayedTo(identifier), await readSignalIds(database, owner));
      }
    };
    const expected = 1 + 40 + 1;
    await until(async () => (await lag()) === expected);
    await complete((sent, ids) => assert.deepEqual(sent, ids.slice(0, LIMIT)));
    // What comes now, while some wait, is not delayed either.
    await append('subject:1', 1);
    await append('subject:5', 4);
    await until(async () => (await lag()) === expected);
    await complete((sent, ids) => assert.deepEqual(sent, ids.slice(0, LIMIT)));
    const said = lines.filter((line) => line.includes('one feed are not relayed to NATS'));
    assert.equal(said.length, 3, lines.join('\n'));
    for (const number of [0, 3, 6]) {
      assert(said.some((line) => line.includes(toRoutingSignalSubject(`subject:${number}`))));
    }
    await manager.streams.update(STREAM, {
      max_msgs_per_subject: -1,
      discard_new_per_subject: false,
    });
    await until(async () => (await lag()) === 0);
    await complete((sent, ids) => assert.deepEqual(sent, ids));
  });

  test('a relay starts with the records of more feeds than a call may have arguments', async () => {
    await makeStream({});
    const owner = await append('many:1', 3);
    start();
    await until(async () => (await lag()) === 0);
    await relays[0]?.close();
    await database.query({
      name: '',
      text: `insert into relay_position (stream, owner, position, sequence)
        select '${STREAM}', number, 1, 1 from generate_series(100000, 300000) as number`,
      values: [],
    });
    await append('many:1', 3);
    relays = [];
    start();
    await until(async () => (await relayedTo('many:1')).length === 6);
    assert.deepEqual(await relayedTo('many:1'), await readSignalIds(database, owner));
  });
});
