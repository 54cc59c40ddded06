// Timelines of feeds. A restored database gives positions, and ids that clients have given before, to other entries: a reader
// that goes on after a marker of before would miss what is in front of it now. A marker together with the timeline in which it
// was received is never taken for another one.
import type { Database, Queryable } from '../database/database.js';
import { type Feed, UnknownMarkerError } from './feed.js';
import { selectIdAt } from './queries.js';
import { selectCommonEnd, selectLastRestoration, selectTimeline } from './timeline-queries.js';

/** How long a server believes that the timeline is still the same, in milliseconds. */
const MAX_AGE_MS = 5000;

/** The current timeline, as responses have it. */
export class CurrentTimeline {
  readonly #database: Pick<Database, 'lookUps'>;
  #read: { id: Promise<string>; at: number } | undefined;

  constructor(database: Pick<Database, 'lookUps' | 'replacements'>) {
    this.#database = database;
    const forget = () => {
      this.#read = undefined;
    };
    database.replacements.onOutdated(forget);
    database.replacements.onReplaced(forget);
  }

  async id(): Promise<string> {
    const now = performance.now();
    if (this.#read !== undefined && now - this.#read.at < MAX_AGE_MS) return this.#read.id;
    const id = readTimeline(this.#database.lookUps);
    const read = { id, at: now };
    this.#read = read;
    id.catch(() => {
      if (this.#read === read) this.#read = undefined;
    });
    return id;
  }
}

async function readTimeline(database: Queryable): Promise<string> {
  const [row] = await database.query(selectTimeline);
  if (row === undefined) throw new Error('the database has no timeline of feeds');
  return row.id;
}

/**
 * Checks that the entry at a position is the one that a timeline had there.
 *
 * @throws UnknownMarkerError when the database was restored to a time before that entry, or never had the timeline
 */
export async function checkTimeline(
  database: Queryable,
  feed: Feed,
  position: number,
  timeline: string,
): Promise<void> {
  const [found] = await database.query(selectCommonEnd(feed, timeline));
  if (found === undefined) {
    throw new UnknownMarkerError(
      `The timeline ${timeline} is not one of this database, which was restored to a time before it: read again from the start`,
    );
  }
  if (found.commonEnd === null || position <= found.commonEnd) return;
  throw new UnknownMarkerError(
    `The database was restored to a time before this marker was received, and has another entry with it now. ${await adviseAfter(database, feed, found.commonEnd)}`,
  );
}

/** What a reader does whose marker is lost, if a restoration explains it; `undefined` if there was none. */
export async function adviseAfterRestoration(
  database: Queryable,
  feed: Feed,
): Promise<string | undefined> {
  const [last] = await database.query(selectLastRestoration(feed));
  if (last === undefined) return undefined;
  const advice = await adviseAfter(database, feed, last.position);
  return `the database was restored at ${last.begunAt.toISOString()}, and what was after its last entry of then is lost. ${advice}`;
}

async function adviseAfter(database: Queryable, feed: Feed, position: number): Promise<string> {
  const [last] = position > 0 ? await database.query(selectIdAt(feed, position)) : [];
  return last === undefined
    ? 'Read again from the start'
    : `Continue after ${last.id}, the last entry that was kept, or read again from the start`;
}
