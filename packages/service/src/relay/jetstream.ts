// A stream in NATS JetStream: created when it is missing, and appended to in strict order.
import { GOODS_ITEM_MESSAGE_LIMIT } from '@landfall/contract';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  headers,
  type NatsConnection,
} from '@nats-io/transport-node';
import { isError, messageOf } from '../native-error.js';
import { readNatsServers, readNatsUser } from './nats-address.js';
import { checkMark, type Installation, isMarked, mark } from './stream-mark.js';

/** How long NATS may take to respond, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 5000;

/** How long a new stream keeps messages, in nanoseconds: 30 days. Later readers begin with the feed. */
const MAX_AGE = 30 * 24 * 3600 * 1e9;

/** Largest message of a new stream with its headers, in bytes. */
const MAX_MESSAGE = 1024 * 1024;

/** What NATS must accept, in bytes: the largest entry with its headers. An entry that it refuses would stop all after it. */
const MIN_ACCEPTED = GOODS_ITEM_MESSAGE_LIMIT + 16 * 1024;

/** Messages that are requested at once when the stream is read. */
const MAX_FETCH = 1000;

/** After how long without a message it is asked whether one follows, in milliseconds. */
const QUIET_MS = 1000;

/** How many consumers in a row may get nothing, though there is something. */
const MAX_TRIES = 5;

/** How many gaps of what was read are examined at once. */
const MAX_ASKED = 100;

/** After how long NATS removes a consumer that is not read from any more, in nanoseconds. */
const INACTIVE_THRESHOLD = 10e9;

/** What a stream stores: its name, its subjects, which end with a wildcard, and on how many servers. */
export type StreamSettings = { stream: string; subjects: string; replicas: number };

/** The end of the stream: its last sequence number, and how many messages it still has. */
export type StreamEnd = { sequence: number; messages: number };

/** The header with the id of the entry: the marker from which a reader of the feed continues. */
const MARKER_HEADER = 'Landfall-Marker';

/** The header that says which view shows the message. */
const VIEW_HEADER = 'Landfall-View';

/** A stored message, without its text. */
export type StoredMessage = {
  subject: string;
  marker: string;
  sequence: number;
  /** Which view shows it, and in which state; empty if none does. */
  view: string;
};

/** A message to store. */
export type NewMessage = {
  subject: string;
  /** Unique in the stream; without one, JetStream recognises no duplicate. */
  id?: string;
  marker: string;
  entry: string;
  /** Which view shows it, and in which state. */
  view?: string;
};

/** A connection with a stream. */
export type RelayStream = {
  /** On how many servers the stream is stored. */
  readonly replicas: number;
  /** @throws ForeignStreamError when the stream was made anew by another installation, or was marked by it */
  end(): Promise<StreamEnd>;
  /** Marks a stream that somebody else has made as that of this installation. */
  claim(): Promise<void>;
  /**
   * The messages from a sequence number on; without one, the last message of each subject, and perhaps others. What is
   * removed meanwhile may be left out; what is not may come twice.
   *
   * @throws when the server that is read from does not have the stream to its end
   */
  read(from: number | undefined): AsyncIterable<StoredMessage>;
  /**
   * Stores an entry directly after the message with this sequence number, or fails when the stream has ended elsewhere
   * in the meantime.
   *
   * @throws FullSubjectError
   */
  store(message: NewMessage, after: number): Promise<void>;
  /**
   * Removes the messages of a subject, up to a sequence number. Those that follow have the numbers that they would have.
   *
   * @throws RefusedPurgeError
   */
  purge(subject: string, upTo: number): Promise<void>;
  /** Resolves when the connection is lost or closed. */
  readonly closed: Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Connects, and creates the stream if it is missing. An existing stream is not changed.
 *
 * @param url such as `nats://host:4222`, or `tls://user:password@host:4222`; several joined by commas
 * @throws ForeignStreamError when the stream is that of another installation
 */
export async function openRelayStream(
  url: string,
  settings: StreamSettings,
  installation: Installation,
): Promise<RelayStream> {
  const connection = await connect(readAddress(url));
  try {
    checkAccepts('NATS', connection.info?.max_payload, 'max_payload');
    const manager = await jetstreamManager(connection, { timeout: RESPONSE_TIMEOUT_MS });
    const replicas = await makeStream(manager, settings, installation);
    return toRelayStream(connection, manager, settings, { replicas, installation });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The driver does not read names and passwords from an address. */
function readAddress(url: string): ConnectionOptions {
  const addresses = readNatsServers(url) ?? [];
  const user = readNatsUser(addresses);
  return {
    servers: addresses.map(({ host }) => host),
    ...(addresses[0]?.protocol === 'tls:' && { tls: {} }),
    ...(user &&
      (user.password === '' ? { token: user.name } : { user: user.name, pass: user.password })),
    name: 'landfall',
    // After a lost connection only the stream shows which messages were stored.
    reconnect: false,
    timeout: RESPONSE_TIMEOUT_MS,
    pingInterval: RESPONSE_TIMEOUT_MS,
    maxPingOut: 2,
  };
}

/** Deletes the stream, if there is one. */
export async function removeStream(url: string, stream: string): Promise<void> {
  const connection = await connect(readAddress(url));
  try {
    const manager = await jetstreamManager(connection, { timeout: RESPONSE_TIMEOUT_MS });
    await manager.streams.delete(stream).catch((error: unknown) => {
      if (errorCode(error) !== STREAM_NOT_FOUND) throw error;
    });
  } finally {
    await connection.close();
  }
}

/** @param bytes the length of the largest message that is accepted; -1 or nothing: any */
function checkAccepts(who: string, bytes: number | undefined, setting: string): void {
  if (bytes === undefined || bytes < 0 || bytes >= MIN_ACCEPTED) return;
  throw new Error(
    `${who} accepts messages of at most ${bytes} bytes, and an entry may have ${MIN_ACCEPTED} with its headers: raise ${setting}`,
  );
}

/** JetStream's error for a missing stream. */
const STREAM_NOT_FOUND = 10059;

async function makeStream(
  manager: JetStreamManager,
  { stream, subjects, replicas }: StreamSettings,
  installation: Installation,
): Promise<number> {
  try {
    const { config } = await manager.streams.info(stream);
    checkMark(stream, installation, config.description);
    checkAccepts(`the stream ${stream}`, config.max_msg_size, 'max_msg_size');
    return config.num_replicas;
  } catch (error) {
    if (errorCode(error) !== STREAM_NOT_FOUND) throw error;
    const { config } = await manager.streams.add({
      name: stream,
      description: mark(installation),
      subjects: [subjects],
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_age: MAX_AGE,
      max_msg_size: MAX_MESSAGE,
      num_replicas: replicas,
    });
    return config.num_replicas;
  }
}

/** The stream takes no more messages of one subject (`discard_new_per_subject`), and goes on taking those of others. */
export class FullSubjectError extends Error {
  override name = 'FullSubjectError';

  constructor(subject: string, options: ErrorOptions) {
    super(
      `the stream has as many messages of ${subject} as it may have (max_msgs_per_subject)`,
      options,
    );
  }
}

/** NATS responds, and refuses to remove messages, as from a stream with `deny_purge`. */
export class RefusedPurgeError extends Error {
  override name = 'RefusedPurgeError';

  constructor(subject: string, cause: unknown) {
    super(`the messages of ${subject} were not removed: ${messageOf(cause)}`, { cause });
  }
}

/** JetStream's error for a message that could not be stored, for whatever reason: only the text says which. */
const STORE_FAILED = 10077;

function isFullSubject(error: unknown): boolean {
  return errorCode(error) === STORE_FAILED && messageOf(error).includes('per subject');
}

function errorCode(error: unknown): number | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;
}

function toRelayStream(
  connection: NatsConnection,
  manager: JetStreamManager,
  settings: StreamSettings,
  { replicas, installation }: { replicas: number; installation: Installation },
): RelayStream {
  const { stream } = settings;
  const client = jetstream(connection, { timeout: RESPONSE_TIMEOUT_MS });
  return {
    replicas,
    end: async () => {
      const { state, config } = await manager.streams.info(stream);
      checkMark(stream, installation, config.description);
      return { sequence: state.last_seq, messages: state.messages };
    },
    claim: async () => {
      const { config } = await manager.streams.info(stream);
      if (isMarked(config.description)) return;
      const description = mark(installation, config.description);
      await manager.streams.update(stream, { ...config, description });
    },
    read: (from) =>
      from === undefined
        ? readLastOfSubjects(manager, settings)
        : readMessages(manager, settings, {
            deliver_policy: DeliverPolicy.StartSequence,
            opt_start_seq: Math.max(from, 1),
          }),
    store: async ({ subject, id, marker, entry, view }, after) => {
      const sent = headers();
      if (id !== undefined) sent.set('Nats-Msg-Id', id);
      sent.set(MARKER_HEADER, marker);
      if (view !== undefined) sent.set(VIEW_HEADER, view);
      sent.set('Nats-Expected-Stream', stream);
      sent.set('Nats-Expected-Last-Sequence', String(after));
      const { seq } = await client
        .publish(subject, entry, { headers: sent })
        .catch((error: unknown) => {
          throw isFullSubject(error) ? new FullSubjectError(subject, { cause: error }) : error;
        });
      if (seq !== after + 1)
        throw new Error(`message ${marker} is at ${seq}, and not at ${after + 1}`);
    },
    purge: async (subject, upTo) => {
      const asked = { filter: subject, seq: upTo + 1 };
      await manager.streams.purge(stream, asked).catch((error: unknown) => {
        throw errorCode(error) === undefined ? error : new RefusedPurgeError(subject, error);
      });
    },
    closed: connection.closed(),
    close: () => connection.close(),
  };
}

/**
 * Reads the headers of the last message of each subject. nats-server 2.9 leaves out a subject of which the last message was
 * deleted by its number, though it has others: then everything is read.
 */
async function* readLastOfSubjects(
  manager: JetStreamManager,
  settings: StreamSettings,
): AsyncIterable<StoredMessage> {
  const { stream, subjects } = settings;
  const found = new Set<string>();
  let last = 0;
  const start = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subject: subjects };
  for await (const message of readMessages(manager, settings, start)) {
    found.add(message.subject);
    last = message.sequence;
    yield message;
  }
  const { state } = await manager.streams.info(stream, { subjects_filter: subjects });
  const hasAll = Object.keys(state.subjects ?? {}).every((subject) => found.has(subject));
  if (hasAll && (await findNext(manager, settings, last)) === undefined) return;
  yield* readMessages(manager, settings, { deliver_policy: DeliverPolicy.All });
}

/**
 * Reads the headers of what the stream has now, by a consumer that only this read uses. What nats-server 2.9 says of it is not
 * enough: it may count messages as pending that were removed, and any purge of a subject moves the consumer past messages of
 * other subjects. So the stream is asked whether something follows, or was left out, and a new consumer continues there.
 *
 * @param tries how many consumers may get nothing
 */
async function* readMessages(
  manager: JetStreamManager,
  settings: StreamSettings,
  start: Partial<ConsumerConfig>,
  tries = MAX_TRIES,
): AsyncIterable<StoredMessage> {
  const { stream, subjects } = settings;
  const begin = subjects.slice(0, -1);
  const first = start.opt_start_seq ?? 1;
  let read = first - 1;
  if ((await findNext(manager, settings, read)) === undefined) return;
  const { name } = await manager.consumers.add(stream, {
    ...start,
    ack_policy: AckPolicy.None,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: INACTIVE_THRESHOLD,
  });
  const consumer = await manager.jetstream().consumers.get(stream, name);
  const gaps: Gap[] = [];
  for (let last = -1, pending = 1; read > last && pending > 0; ) {
    last = read;
    const messages = await consumer.fetch({
      max_messages: MAX_FETCH,
      expires: RESPONSE_TIMEOUT_MS,
    });
    let seen = -1;
    const watching = setInterval(() => {
      if (read === seen) messages.stop();
      seen = read;
    }, QUIET_MS);
    try {
      for await (const message of messages) {
        if (message.seq > read + 1) gaps.push({ after: read, before: message.seq });
        read = message.seq;
        pending = message.info.pending;
        if (message.subject.startsWith(begin)) yield toStoredMessage(message);
        if (pending === 0) break;
      }
    } finally {
      clearInterval(watching);
    }
  }
  await manager.consumers.delete(stream, name);
  // Of the last messages of subjects, whoever asks for them finds out.
  if (start.deliver_policy === DeliverPolicy.LastPerSubject) return;
  const next =
    (await findLeftOut(manager, settings, gaps)) ?? (await findNext(manager, settings, read));
  if (next === undefined) return;
  const left = read < first ? tries - 1 : MAX_TRIES;
  if (left === 0) throw new Error(`${stream} could be read to ${read} only, not to ${next}`);
  const rest = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
  yield* readMessages(manager, settings, rest, left);
}

/** Numbers that were not read, between two messages. */
type Gap = { after: number; before: number };

/** The first message in a gap; `undefined` if they are gaps of the stream. */
async function findLeftOut(
  manager: JetStreamManager,
  settings: StreamSettings,
  gaps: readonly Gap[],
): Promise<number | undefined> {
  for (let start = 0; start < gaps.length; start += MAX_ASKED) {
    const asked = gaps.slice(start, start + MAX_ASKED);
    const found = await Promise.all(asked.map(({ after }) => findNext(manager, settings, after)));
    const leftOut = found.find((next = Infinity, index) => next < (asked[index]?.before ?? 0));
    if (leftOut !== undefined) return leftOut;
  }
  return undefined;
}

function toStoredMessage({ subject, headers: sent, seq }: JsMsg): StoredMessage {
  return {
    subject,
    // Goods items that an earlier version has stored have only the other header.
    marker: sent?.get(MARKER_HEADER) || (sent?.get('Nats-Msg-Id') ?? ''),
    sequence: seq,
    view: sent?.get(VIEW_HEADER) ?? '',
  };
}

/** The sequence number of the next message; `undefined` if there is none. The stream's leader responds. */
async function findNext(
  manager: JetStreamManager,
  { stream }: StreamSettings,
  after: number,
): Promise<number | undefined> {
  // The type of this call lacks what the one of direct access has.
  const request = { seq: after + 1, next_by_subj: '>' };
  const next = await manager.streams.getMessage(stream, request);
  return next?.seq;
}
