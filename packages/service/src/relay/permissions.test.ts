// What a reader of NATS may do, with the configuration of the guide: read its own subject, and nothing else.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GOODS_ITEM_VIEW_STREAM, ROUTING_SIGNAL_STREAM } from '@landfall/contract';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type OwnNats, startNats, whyNoNats } from '../testing/own-nats.js';

const A = '0192_310000027';
const B = '0192_310000028';
/** What an organisation reads by a subject of its own. */
const streams = [
  {
    stream: ROUTING_SIGNAL_STREAM,
    subjectOf: (token: string) => `customs.routing-signals.${token}`,
  },
  {
    stream: GOODS_ITEM_VIEW_STREAM,
    subjectOf: (token: string) => `customs.goods-item-views.${token}`,
  },
];
const PASSWORDS = { LANDFALL_PASSWORD: 'of-landfall', READER_PASSWORD: 'of-readers' };

/** The files that the guide writes, with a second reader, for readers of this stream. */
async function writeConfiguration(folder: string, stream: string): Promise<string> {
  const guide = await readFile(new URL('../../../../docs/guide/nats.md', import.meta.url), 'utf8');
  const fileOf = (name: string) => {
    const [, text] = new RegExp(`cat >${name} <<'END'\\n([^]*?)\\nEND\\n`).exec(guide) ?? [];
    return text ?? assert.fail(`${name} is not in the guide`);
  };
  const reader = fileOf('readers.conf').replaceAll('ROUTING_SIGNALS', stream);
  await writeFile(join(folder, 'readers.conf'), `${reader}\n${reader.replaceAll(A, B)}`);
  const path = join(folder, 'nats.conf');
  // The test has an address and a folder of its own.
  const server = fileOf('nats.conf').replace(/^(?:listen|http|jetstream) ?[:{].*$/gm, '');
  await writeFile(path, `jetstream {}\n${server}`);
  return path;
}

const noNats = await whyNoNats();

for (const { stream, subjectOf } of streams) {
  describe(`permissions of readers of ${stream}`, { skip: noNats }, () => {
    let folder: string;
    let nats: OwnNats;
    let landfall: NatsConnection;
    let manager: JetStreamManager;
    const readers = new Map<string, NatsConnection>();
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'landfall-nats-conf-'));
      nats = await startNats({
        config: await writeConfiguration(folder, stream),
        environment: PASSWORDS,
      });
      const servers = nats.url;
      const { LANDFALL_PASSWORD, READER_PASSWORD } = PASSWORDS;
      landfall = await connect({ servers, user: 'landfall', pass: LANDFALL_PASSWORD });
      manager = await jetstreamManager(landfall);
      await manager.streams.add({ name: 'GOODS_ITEMS', subjects: ['customs.goods-items.>'] });
      await manager.streams.add({ name: stream, subjects: [subjectOf('*')] });
      for (const organisation of [A, B]) {
        readers.set(
          organisation,
          await connect({ servers, user: organisation, pass: READER_PASSWORD }),
        );
        await manager.consumers.add(stream, {
          durable_name: organisation,
          filter_subject: subjectOf(organisation),
          ack_policy: 'explicit',
        });
        for (const number of [1, 2]) {
          await jetstream(landfall).publish(subjectOf(organisation), `${organisation}-${number}`);
        }
      }
    });
    after(async () => {
      for (const reader of readers.values()) await reader.close();
      await landfall?.close();
      await nats?.remove();
      await rm(folder, { recursive: true });
    });

    const readerOf = (organisation: string) => readers.get(organisation) ?? assert.fail();
    const countOf = async (stream: string) => (await manager.streams.info(stream)).state.messages;

    test('each reads and acknowledges what is its own', async () => {
      for (const organisation of [A, B]) {
        const { consumers } = jetstream(readerOf(organisation), { apiPrefix: 'landfall' });
        const consumer = await consumers.get(stream, organisation);
        for (const number of [1, 2]) {
          const message = await consumer.next();
          assert.equal(message?.string(), `${organisation}-${number}`);
          assert.equal(message?.subject, subjectOf(organisation));
          assert(await message?.ackAck());
        }
        const { num_ack_pending, num_pending } = await consumer.info();
        assert.deepEqual([num_ack_pending, num_pending], [0, 0]);
      }
    });

    const request = (subject: string, payload: object = {}) =>
      readerOf(A).request(subject, JSON.stringify(payload), { timeout: 300 });
    const create = { stream_name: stream, config: { filter_subject: subjectOf(B) } };
    for (const prefix of ['landfall', '$JS.API']) {
      for (const [what, subject, payload] of [
        ['read from', `CONSUMER.MSG.NEXT.${stream}.${B}`, { batch: 1 }],
        ['see', `CONSUMER.INFO.${stream}.${B}`],
        ['create', `CONSUMER.CREATE.${stream}.x.${subjectOf(B)}`, create],
        ['create an ephemeral one like', `CONSUMER.CREATE.${stream}`, create],
        ['create a durable one like', `CONSUMER.DURABLE.CREATE.${stream}.${A}`, create],
        ['delete', `CONSUMER.DELETE.${stream}.${B}`],
        ['read messages without', `STREAM.MSG.GET.${stream}`, { seq: 3 }],
        ['read messages directly without', `DIRECT.GET.${stream}`, { seq: 3 }],
        ['see the stream of', `STREAM.INFO.${stream}`],
        ['purge the stream of', `STREAM.PURGE.${stream}`],
        ['delete the stream of', `STREAM.DELETE.${stream}`],
        ['change the stream of', `STREAM.UPDATE.${stream}`, { name: stream }],
      ] as const) {
        test(`a reader cannot ${what} the consumer of another one (${prefix})`, async () => {
          await assert.rejects(request(`${prefix}.${subject}`, payload));
        });
      }
    }

    test('a reader cannot create a consumer of its own subject, which could deliver anywhere', async () => {
      for (const prefix of ['landfall', '$JS.API']) {
        await assert.rejects(
          request(`${prefix}.CONSUMER.CREATE.${stream}.${A}.${subjectOf(A)}`, {
            stream_name: stream,
            config: { durable_name: A, filter_subject: subjectOf(A) },
          }),
        );
      }
    });

    test('a reader cannot publish, and nothing that it requests is stored', async () => {
      const before = [await countOf('GOODS_ITEMS'), await countOf(stream)];
      for (const subject of [subjectOf(A), subjectOf(B), 'customs.goods-items.I.01']) {
        await assert.rejects(jetstream(readerOf(A)).publish(subject, 'x', { timeout: 300 }));
        // JetStream sends its response to the reply subject, whatever it is.
        readerOf(A).publish(`landfall.CONSUMER.INFO.${stream}.${A}`, '', { reply: subject });
      }
      await readerOf(A).flush();
      await landfall.flush();
      assert.deepEqual([await countOf('GOODS_ITEMS'), await countOf(stream)], before);
      const consumers = await manager.consumers.list(stream).next();
      assert.deepEqual(consumers.map(({ name }) => name).sort(), [A, B]);
    });

    test('a reader cannot subscribe to subjects', async () => {
      for (const subject of ['>', subjectOf(A), subjectOf(B)]) {
        const subscription = readerOf(A).subscribe(subject);
        await assert.rejects(async () => {
          for await (const message of subscription) assert.fail(message.subject);
        }, /permissions violation/i);
      }
    });
  });
}
