// Where the relay continues: after what the stream has, whatever was recorded.
import { isUuid } from '@landfall/contract';
import type { Database } from '../database/database.js';
import type { RelayStream, StoredMessage } from './jetstream.js';
import { type RelayedRow, selectEntries, selectRelayed } from './queries.js';
import type { RelayedFeeds } from './relayed-feeds.js';

/** Up to so many messages since the last record are read; of more, the last of each subject. */
const MAX_TAIL = 10_000;

/** Where the relay continues. */
export type RelayStart = {
  /** The last sequence number of the stream. */
  sequence: number;
  /** The last position of each feed that the stream has or had. */
  positions: Map<number, number>;
  /** What of it was found in the stream. */
  found: RelayedRow[];
};

/**
 * Compares what was recorded with the stream. In the usual case only the messages since the last record are read. If the
 * stream has lost messages that it had acknowledged, or nothing was recorded, the last message of each subject is read.
 * A stream that never had a message is filled from the oldest entries that are kept.
 */
export async function findStart(
  database: Database,
  feeds: RelayedFeeds,
  stream: RelayStream,
): Promise<RelayStart> {
  const { sequence, messages } = await stream.end();
  if (sequence === 0) return { sequence, positions: new Map(), found: [] };

  const recorded = await database.query(selectRelayed(feeds.stream));
  const last = recorded.reduce((most, row) => Math.max(most, row.sequence), 0);
  const isUsable = last > 0 && last <= sequence;
  // NATS has removed all messages, by age or by a purge, so nothing says where to continue.
  if (messages === 0 && !isUsable) throw new Error(describeLostEnd(feeds.stream, sequence, last));
  // The message of the last record is read too: it shows whether this is the same stream.
  const from = isUsable && sequence - last < MAX_TAIL ? last : undefined;
  const found =
    messages === 0 ? [] : await findEntries(database, feeds, await readLast(feeds, stream, from));
  const positions = new Map(
    [...recorded.filter((row) => row.sequence <= sequence), ...found].map(({ owner, position }) => [
      owner,
      position,
    ]),
  );
  return { sequence, positions, found };
}

/**
 * The last message of each feed among those that are read, by the text that identifies its owner. It fails if the server that
 * is read from does not have the stream to its end: what it lacks would be stored twice.
 */
export async function readLast(
  feeds: Pick<RelayedFeeds, 'readOwner'>,
  stream: RelayStream,
  from: number | undefined,
): Promise<Map<string, StoredMessage>> {
  const last = new Map<string, StoredMessage>();
  for await (const message of stream.read(from)) {
    const key = feeds.readOwner(message.subject);
    if (key === undefined) throw new ForeignMessageError(message);
    const other = last.get(key);
    if (other === undefined || other.sequence < message.sequence) last.set(key, message);
  }
  return last;
}

async function findEntries(
  database: Database,
  feeds: RelayedFeeds,
  messages: ReadonlyMap<string, StoredMessage>,
): Promise<RelayedRow[]> {
  const ids = new Map(
    [...messages]
      .filter(([, { marker }]) => isUuid(marker))
      .map(([key, { marker }]) => [key, marker]),
  );
  const rows = await database.query(selectEntries(feeds, ids));
  const entries = new Map(rows.map((row) => [row.key, row]));
  return [...messages].map(([key, message]) => {
    const entry = entries.get(key);
    if (entry === undefined) throw new ForeignMessageError(message);
    return { owner: entry.owner, position: entry.position, sequence: message.sequence };
  });
}

/** @param last the message that was recorded last; 0 if none was */
function describeLostEnd(stream: string, sequence: number, last: number): string {
  const what =
    last === 0
      ? `${stream} has had ${sequence} messages, all of which are removed, and this database has no record of them: it may be the stream of another database`
      : `${stream} ends with message ${sequence} and has no messages, but message ${last} was relayed: NATS was restored to an earlier state`;
  return `${what}. If this database is the right one, delete the stream: it is filled again from the oldest entries that are kept`;
}

/** Somebody else has stored a message, or the database was restored to an earlier time. */
export class ForeignMessageError extends Error {
  override name = 'ForeignMessageError';

  constructor({ subject, marker, sequence }: StoredMessage) {
    super(`message ${sequence} of ${subject} is no entry of this database: ${marker}`);
  }
}
