// Consumes the stream of goods items in JetStream.
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { pause } from './present-while.js';

/** Consumes the stream, and resumes after the last message when the connection is lost. */
export function startConsumer(url) {
  const consumed = [];
  let next = 1;
  let stopping = false;
  const consume = async (connection) => {
    const manager = await jetstreamManager(connection);
    const { name } = await manager.consumers.add('GOODS_ITEMS', {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: next,
      ack_policy: 'none',
      inactive_threshold: 30e9,
    });
    const consumer = await jetstream(connection).consumers.get('GOODS_ITEMS', name);
    while (!stopping) {
      const messages = await consumer.fetch({ max_messages: 500, expires: 1000 });
      for await (const message of messages) {
        if (message.seq !== next) throw new Error(`message ${message.seq} instead of ${next}`);
        next++;
        consumed.push(message.headers?.get('Nats-Msg-Id'));
      }
    }
  };
  const running = (async () => {
    while (!stopping) {
      const connection = await connect({ servers: url, reconnect: false }).catch(() => undefined);
      if (connection !== undefined) await consume(connection).catch(() => undefined);
      await connection?.close();
      await pause(100);
    }
    return consumed;
  })();
  return {
    until: async (count) => {
      while (consumed.length < count && !stopping) await pause(100);
    },
    stop: () => {
      stopping = true;
      return running;
    },
  };
}
