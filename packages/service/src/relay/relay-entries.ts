// The turns of a relay: in each, the next entries of the feeds that have grown are stored in the stream in order.
import type { Database } from '../database/database.js';
import { type CompareFeeds, GrownFeeds } from '../feed/grown-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { RelayStart } from './find-start.js';
import type { HeldFeeds } from './held-feeds.js';
import type { RelayStream } from './jetstream.js';
import {
  type CandidateRow,
  forgetRelayedAfter,
  type RelayedRow,
  recordRelayed,
  selectCandidates,
  selectEndsAfter,
} from './queries.js';
import type { RelayedFeeds } from './relayed-feeds.js';
import { storeAll } from './store-all.js';

/** Maximum number of feeds of one turn, and of the entries of a turn, which they share equally. */
const MAX_FEEDS_PER_TURN = 100;
const MAX_ENTRIES_PER_TURN = 1000;

/**
 * How often the end of the stream is compared with what was relayed, in milliseconds. Storing an entry compares it as well,
 * but a cluster of NATS may lose acknowledged messages while no entry comes.
 */
const CHECK_INTERVAL_MS = 5000;

/** The log of the relay. */
export type RelayLog = {
  info(context: object, message: string): void;
  warn(context: object, message: string): void;
};

/** What relaying entries needs. */
export type RelayContext = {
  database: Database;
  watch: FeedWatch;
  feeds: RelayedFeeds;
  stream: RelayStream;
  log: RelayLog;
  /** Feeds that wait. */
  held: HeldFeeds;
  /** Is called when entries were stored, or the stream still ends where it ended. */
  progressed: () => void;
  /** Ends the relay. */
  signal: AbortSignal;
};

/** Relays until the signal or an error. Feeds take turns, so one with many entries delays the others by a turn. */
export async function relayEntries(context: RelayContext, start: RelayStart): Promise<void> {
  const { database, watch, feeds, stream, log, held, progressed, signal } = context;
  const { positions } = start;
  let { sequence } = start;
  const kind = feeds.kind.number;
  const grown = new GrownFeeds(watch, [feeds.kind], compareEnds(context, positions));
  signal.addEventListener('abort', () => grown.stop(), { once: true });
  try {
    await database.query(forgetRelayedAfter(feeds.stream, sequence));
    await database.query(recordRelayed(feeds.stream, start.found));
    let checkedAt = performance.now();
    while (!signal.aborted) {
      // One that is held is found again by the sweep.
      const taken = await grown.take(MAX_FEEDS_PER_TURN);
      const owners = taken.map(({ owner }) => owner).filter((owner) => !held.has(owner));
      if (performance.now() - checkedAt >= CHECK_INTERVAL_MS) {
        await expectEnd(feeds.stream, stream, sequence);
        checkedAt = performance.now();
        progressed();
      }
      if (owners.length === 0) continue;
      const limit = Math.ceil(MAX_ENTRIES_PER_TURN / owners.length);
      const after = new Map(owners.map((owner) => [owner, positions.get(owner) ?? 0]));
      const candidates = await database.query(selectCandidates(feeds, after, limit));
      for (const owner of findUnfinished(candidates, limit)) grown.add({ kind, owner });
      const entries = candidates.filter(hasEntry);
      warnOfExpired(context, entries, after);
      const messages = entries.map(({ id, topic, entry }) => ({
        subject: feeds.toSubject(topic),
        id: feeds.toMessageId(topic, id),
        marker: id,
        entry,
      }));
      const { stored, full } = await storeAll(stream, messages, sequence, signal);
      const last = new Map<number, RelayedRow>();
      for (const { owner, position } of entries.slice(0, stored)) {
        sequence++;
        last.set(owner, { owner, position, sequence });
        positions.set(owner, position);
        held.release(owner);
      }
      if (last.size > 0) {
        await database.query(recordRelayed(feeds.stream, [...last.values()]));
        progressed();
      }
      const refused = entries[stored];
      if (full === undefined || refused === undefined) continue;
      // Only one feed stops.
      if (held.hold(refused.owner, refused.position)) {
        const reason = { err: full, owner: refused.owner };
        log.warn(reason, `${feeds.name} of one feed are not relayed to NATS`);
      }
      for (const { owner } of entries.slice(stored)) grown.add({ kind, owner });
    }
  } finally {
    grown.stop();
  }
}

/** Compares where feeds end with how far they are relayed. */
function compareEnds(
  { database, feeds }: Pick<RelayContext, 'database' | 'feeds'>,
  positions: ReadonlyMap<number, number>,
): CompareFeeds {
  const kind = feeds.kind.number;
  return async (after, limit) => {
    const ends = await database.query(selectEndsAfter(feeds, after?.owner ?? -1, limit));
    const behind = ends.filter(({ owner, position }) => position > (positions.get(owner) ?? 0));
    const last = ends.length < limit ? undefined : ends.at(-1)?.owner;
    return {
      behind: behind.map(({ owner }) => ({ kind, owner })),
      last: last === undefined ? undefined : { kind, owner: last },
    };
  };
}

/** Fails if the stream ends before what it has acknowledged. The relay then starts again after what the stream has. */
async function expectEnd(name: string, stream: RelayStream, sequence: number): Promise<void> {
  const end = await stream.end();
  if (end.sequence < sequence) {
    throw new Error(
      `${name} has lost what it acknowledged: it ends at ${end.sequence}, not at ${sequence}`,
    );
  }
}

/** An entry with its text. */
type Entry = CandidateRow & { entry: string };

function hasEntry(row: CandidateRow): row is Entry {
  return row.entry !== null;
}

/** The feeds that may have more than what this turn relays. */
function findUnfinished(rows: readonly CandidateRow[], limit: number): Set<number> {
  const counts = new Map<number, number>();
  for (const { owner } of rows) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const cutOff = rows.filter((row) => !hasEntry(row)).map(({ owner }) => owner);
  return new Set([...cutOff, ...[...counts.keys()].filter((owner) => counts.get(owner) === limit)]);
}

/** Positions have no gap, except where entries have expired. */
function warnOfExpired(
  { feeds, log }: RelayContext,
  entries: readonly Entry[],
  after: ReadonlyMap<number, number>,
): void {
  const previous = new Map(after);
  for (const { owner, position } of entries) {
    const last = previous.get(owner) ?? 0;
    if (last > 0 && position > last + 1) {
      log.warn({ owner, last, next: position }, `${feeds.name} expired before they were relayed`);
    }
    previous.set(owner, position);
  }
}
