// What a JetStream stream contains, read by a consumer of its own.
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';

/** After how long without a message none is awaited any more, in milliseconds. */
const QUIET_MS = 5000;

/** A message of a stream. */
export type RelayedMessage = { marker: string; subject: string; text: string };

/**
 * All messages that a stream has now, in order. In a cluster it fails if the consumer was created at a server whose replica
 * is behind the leader: the next call may get another one.
 */
export async function readStream(url: string, stream: string): Promise<RelayedMessage[]> {
  return connected(url, (connection) => readAll(connection, stream));
}

/** The names of all streams. */
export async function listStreams(url: string): Promise<string[]> {
  return connected(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    const names: string[] = [];
    for await (const { config } of manager.streams.list()) names.push(config.name);
    return names.sort();
  });
}

/** Makes an empty stream. */
export async function makeStream(
  url: string,
  name: string,
  subjects: string[],
  description = '',
): Promise<void> {
  await connected(url, async (connection) => {
    await (await jetstreamManager(connection)).streams.add({ name, subjects, description });
  });
}

/** When a stream was made: another time means another stream, of which no consumer knows anything. */
export async function whenMade(url: string, stream: string): Promise<string> {
  return connected(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    return (await manager.streams.info(stream)).created;
  });
}

/** Does work with a connection of its own. */
async function connected<Result>(
  url: string,
  work: (connection: NatsConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect({ servers: url.replaceAll('nats://', '').split(',') });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function readAll(connection: NatsConnection, stream: string): Promise<RelayedMessage[]> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(stream);
  if (state.messages === 0) return [];
  const { name } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.All,
    inactive_threshold: 10e9,
  });
  const consumer = await jetstream(connection).consumers.get(stream, name);
  const read: RelayedMessage[] = [];
  const messages = await consumer.consume();
  // If the last ones are removed meanwhile, no message says that it is the last.
  const end = setTimeout(() => messages.stop(), QUIET_MS);
  try {
    for await (const message of messages) {
      end.refresh();
      const marker =
        message.headers?.get('Landfall-Marker') || (message.headers?.get('Nats-Msg-Id') ?? '');
      read.push({ marker, subject: message.subject, text: message.string() });
      if (message.info.pending > 0) continue;
      if (read.length < state.messages) throw new Error('the replica of the consumer is behind');
      return read;
    }
  } finally {
    clearTimeout(end);
  }
  // After a purge, NATS 2.9 may count messages as pending that are not there any more.
  const { state: now } = await manager.streams.info(stream);
  if (now.messages === read.length && now.last_seq === state.last_seq) return read;
  throw new Error('messages were removed while the stream was read');
}
