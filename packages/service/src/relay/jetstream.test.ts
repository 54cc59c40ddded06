// Reading a stream of a real NATS: it ends with what is there, whatever is removed before and meanwhile.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';
import { openRelayStream, type StoredMessage } from './jetstream.js';

/** Names the random changes, so that a failure can be repeated. */
const SEED = Date.now() % 1_000_000;

const CASES = 60;

describe('reading a stream', { skip: await whyNoNats() }, () => {
  let nats: OwnNats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  before(async () => {
    nats = await startNats();
    connection = await connect({ servers: nats.url });
    manager = await jetstreamManager(connection);
  });
  after(async () => {
    await connection.close();
    await nats.remove();
  });

  /** Subjects by sequence numbers. */
  type Kept = Map<number, string>;

  const makeStream = async (stream: string, random: (below: number) => number) => {
    const settings = { stream, subjects: `${stream}.*`, replicas: 1 };
    const reader = await openRelayStream(nats.url, settings, [randomUUID()]);
    const anySubject = () => `${stream}.${random(4)}`;
    const findKept = async (): Promise<Kept> => {
      const { state } = await manager.streams.info(stream);
      const kept: Kept = new Map();
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
        const message = await manager.streams.getMessage(stream, { seq });
        if (message !== null) kept.set(seq, message.subject);
      }
      return kept;
    };
    const changes = {
      publish: () => jetstream(connection).publish(anySubject(), '{}'),
      purge: () => manager.streams.purge(stream, { filter: anySubject() }),
      purgeUpTo: async () => {
        const { state } = await manager.streams.info(stream);
        const seq = Math.max(1, state.last_seq - random(4));
        await manager.streams.purge(stream, { filter: anySubject(), seq });
      },
      purgeLast: async () => {
        const last = [...(await findKept())].at(-1);
        if (last !== undefined) await manager.streams.purge(stream, { filter: last[1] });
      },
      deleteLast: async () => {
        const last = [...(await findKept())].at(-1);
        if (last !== undefined) await manager.streams.deleteMessage(stream, last[0]);
      },
    };
    const { publish, purge, purgeUpTo, purgeLast, deleteLast } = changes;
    const list = [publish, publish, publish, publish, purge, purgeUpTo, purgeLast, deleteLast];
    const change = () => list[random(list.length)]?.();
    return { reader, findKept, change, publish };
  };

  const collect = async (messages: AsyncIterable<StoredMessage>) => {
    const read: Kept = new Map();
    for await (const { sequence, subject } of messages) read.set(sequence, subject);
    return read;
  };
  const lastOfSubjects = (messages: Kept) => {
    const last = new Map<string, number>();
    for (const [sequence, subject] of messages) {
      last.set(subject, Math.max(sequence, last.get(subject) ?? 0));
    }
    return new Map([...last].sort());
  };

  test('it ends with what is there, also when that is removed before it is read and meanwhile', async () => {
    const readOne = async (number: number) => {
      let state = (SEED + number * 7919) % 2_147_483_647;
      const random = (below: number) => {
        state = (state * 16_807 + 1) % 2_147_483_647;
        return state % below;
      };
      const name = `CASE${number}`;
      const { reader, findKept, change, publish } = await makeStream(name, random);
      for (let count = random(25); count > 0; count--) await change();
      const note = `seed ${SEED}, ${name}`;
      for (const from of [1, undefined]) {
        const atStart = await findKept();
        const everThere: Kept = new Map(atStart);
        const noteThere = async () => {
          for (const [sequence, subject] of await findKept()) everThere.set(sequence, subject);
        };
        const changing = async () => {
          for (let count = random(3); count > 0; count--) {
            await change();
            await noteThere();
          }
        };
        const messages = reader.read(from)[Symbol.asyncIterator]();
        const read: Kept = new Map();
        // Also between that the read has asked and its first message.
        let next = messages.next();
        for (let left = 20; ; left--) {
          if (left > 0) await changing();
          const { done, value } = await next;
          if (done) break;
          read.set(value.sequence, value.subject);
          next = messages.next();
        }
        const stillThere = [...(await findKept())].filter(([sequence]) => atStart.has(sequence));
        const isRead = ([sequence]: [number, string]) => read.has(sequence);
        if (from === 1) assert.deepEqual(stillThere.filter(isRead), stillThere, note);
        for (const [sequence, subject] of read) {
          assert.equal(everThere.get(sequence), subject, note);
        }
      }
      // Nothing is removed meanwhile.
      if (random(2) === 0) await publish();
      const kept = await findKept();
      assert.deepEqual(await collect(reader.read(1)), kept, note);
      const last = lastOfSubjects(await collect(reader.read(undefined)));
      assert.deepEqual(last, lastOfSubjects(kept), note);
      const [middle = 1] = [...kept.keys()].slice(kept.size / 2);
      const tail = [...kept].filter(([sequence]) => sequence >= middle);
      assert.deepEqual([...(await collect(reader.read(middle)))], tail, note);
      await reader.close();
    };
    await Promise.all(Array.from({ length: CASES }, (_, number) => readOne(number)));
  });

  test('messages of one subject are read while those of another are purged', async () => {
    const { reader } = await makeStream('MANY', () => 0);
    const subjects = Array.from({ length: 2500 }, (_, index) => `MANY.${index % 2}`);
    await Promise.all(subjects.map((subject) => jetstream(connection).publish(subject, '{}')));
    const read = new Set<number>();
    for await (const { sequence } of reader.read(1)) {
      read.add(sequence);
      // NATS has not sent the rest yet.
      if (read.size === 1) await manager.streams.purge('MANY', { filter: 'MANY.0', seq: 2300 });
    }
    const { state } = await manager.streams.info('MANY');
    for (let seq = 1; seq <= state.last_seq; seq++) {
      const isThere = subjects[seq - 1] === 'MANY.1' || seq >= 2300;
      if (isThere) assert(read.has(seq), `${seq}`);
    }
    await reader.close();
  });
});
