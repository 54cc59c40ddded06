// The stream GOODS_ITEMS in NATS JetStream: created when it is missing, and appended to in strict order.
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  headers,
  type NatsConnection,
} from '@nats-io/transport-node';
import { isError } from '../../native-error.js';
import type { RelayedRow } from './relay-queries.js';

/** Wire contract, section 8. */
export const RELAY_STREAM = 'GOODS_ITEMS';
const SUBJECT = 'customs.goods-items';

/** How long NATS may take to respond, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 5000;

/** How long a new stream keeps messages, in nanoseconds: 30 days. Later consumers begin with the current items. */
const MAX_AGE = 30 * 24 * 3600 * 1e9;

/** Largest message of a new stream with its headers, in bytes. */
const MAX_MESSAGE = 1024 * 1024;

/** The end of the stream: its last sequence number, and the eventId of that message if it is still kept. */
export type StreamEnd = { sequence: number; eventId: string | undefined };

/** A connection with the stream. */
export type RelayStream = {
  end(): Promise<StreamEnd>;
  /**
   * Stores an event directly after the message with this sequence number, or fails when the stream has ended elsewhere
   * in the meantime.
   */
  store(event: RelayedRow, after: number): Promise<void>;
  /** Resolves when the connection is lost or closed. */
  readonly closed: Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Connects, and creates the stream if it is missing. An existing stream is not changed.
 *
 * @param url such as `nats://host:4222`, or `tls://user:password@host:4222`; several joined by commas
 */
export async function openRelayStream(url: string): Promise<RelayStream> {
  const connection = await connect(readAddress(url));
  try {
    const manager = await jetstreamManager(connection, { timeout: RESPONSE_TIMEOUT_MS });
    await makeStream(manager);
    return toRelayStream(connection, manager);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The driver does not read names and passwords from an address. */
function readAddress(url: string): ConnectionOptions {
  const addresses = url.split(',').map((one) => new URL(one));
  const [first] = addresses;
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  return {
    servers: addresses.map(({ host }) => host),
    ...(first?.protocol === 'tls:' && { tls: {} }),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    name: 'landfall',
    // After a lost connection only the stream shows which messages were stored.
    reconnect: false,
    timeout: RESPONSE_TIMEOUT_MS,
    pingInterval: RESPONSE_TIMEOUT_MS,
    maxPingOut: 2,
  };
}

/** JetStream's error for a missing stream. */
const STREAM_NOT_FOUND = 10059;

async function makeStream(manager: JetStreamManager): Promise<void> {
  try {
    await manager.streams.info(RELAY_STREAM);
  } catch (error) {
    if (errorCode(error) !== STREAM_NOT_FOUND) throw error;
    await manager.streams.add({
      name: RELAY_STREAM,
      subjects: [`${SUBJECT}.>`],
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_age: MAX_AGE,
      max_msg_size: MAX_MESSAGE,
    });
  }
}

function errorCode(error: unknown): number | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;
}

function toRelayStream(connection: NatsConnection, manager: JetStreamManager): RelayStream {
  const client = jetstream(connection, { timeout: RESPONSE_TIMEOUT_MS });
  return {
    end: async () => {
      const { state } = await manager.streams.info(RELAY_STREAM);
      const last =
        state.messages === 0
          ? null
          : await manager.streams.getMessage(RELAY_STREAM, { seq: state.last_seq });
      return {
        sequence: state.last_seq,
        eventId: last === null ? undefined : last.header.get('Nats-Msg-Id'),
      };
    },
    store: async ({ id, topic, entry }, after) => {
      const sent = headers();
      sent.set('Nats-Msg-Id', id);
      sent.set('Nats-Expected-Stream', RELAY_STREAM);
      sent.set('Nats-Expected-Last-Sequence', String(after));
      const { seq } = await client.publish(`${SUBJECT}.${topic}`, entry, { headers: sent });
      if (seq !== after + 1) throw new Error(`event ${id} is at ${seq}, and not at ${after + 1}`);
    },
    closed: connection.closed(),
    close: () => connection.close(),
  };
}
