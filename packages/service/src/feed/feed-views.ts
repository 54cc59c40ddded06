// The one place that decides from which database a feed is read: the primary, or a standby that has what the primary has.
//
// The primary says where the feed ends; a standby gives the entries up to there. Positions have no gap and entries never
// change, so what a standby of this primary has up to that position is what the primary has. If a standby does not have a
// full page, or everything up to the end, the primary is read (decision 0121).
import type { Database, Queryable, StandbyReads, Statement } from '../database/database.js';
import { type Feed, type FeedStart, MarkerExpiredError, UnknownMarkerError } from './feed.js';
import { FeedEnds } from './feed-ends.js';
import type { FeedFilter, Framing } from './queries.js';
import { emptyPage, findMarker, findTime, type Page, readPage } from './read-feed.js';
import { CurrentTimeline } from './timelines.js';

/** Up to so many entries a page is read as fast as a single entry is. */
const SHORT_PAGE = 100;

/** Whether a page is read by short statements that follow each other, and needs no session of its own. */
export function isShortPage(limit: number, filter: object | undefined): boolean {
  return limit <= SHORT_PAGE && filter === undefined;
}

/** A feed at the time when the view was taken, or later. */
export type FeedView = {
  /**
   * The position after which a read begins: that of the marker, or the last before the time; 0 without either. It is
   * `undefined` if nothing was added at the time or later.
   *
   * @throws UnknownMarkerError when the feed has no such entry
   * @throws MarkerExpiredError when entries after it are not kept any longer
   */
  findStart(start: FeedStart): Promise<number | undefined>;

  /**
   * The entries after a position, as `readPage` gives them.
   *
   * @throws MarkerExpiredError when entries after the position are not kept any longer
   */
  readPage(after: number, limit: number, framing: Framing, filter?: FeedFilter): Promise<Page>;

  /** One entry with its position, by a statement that finds it by key; `undefined` if the feed does not have it. */
  findEntry(statement: Statement<FoundEntry>): Promise<FoundEntry | undefined>;
};

/** The text of an entry, and its position. */
export type FoundEntry = { entry: string; position: number };

/** No standby can be read from, or it does not have everything up to where the feed ends. */
class NotOnStandbyError extends Error {}

/** Takes views of the feeds of a database. */
export class FeedViews {
  readonly #database: Database;
  readonly #ends: FeedEnds;
  readonly timeline: CurrentTimeline;
  #generation = 0;

  constructor(database: Database) {
    this.#database = database;
    database.replacements.onOutdated(() => {
      this.#generation++;
    });
    this.#ends = new FeedEnds(database.lookUps);
    this.timeline = new CurrentTimeline(database);
  }

  /** Changes when positions that were read before may be those of other entries. */
  get generation(): number {
    return this.#generation;
  }

  /** A view for one read: everything that was committed before has an effect on it. */
  async take(feed: Feed): Promise<FeedView> {
    const primary = viewPrimary(this.#database, feed);
    const { standbys } = this.#database;
    if (standbys?.isUsable !== true) return primary;
    const { position, history } = await this.#ends.read(feed);
    return viewStandby(standbys, history, feed, position, primary);
  }
}

function viewPrimary(database: Database, feed: Feed): FeedView {
  return {
    findStart: async ({ marker, timeline, since }) => {
      if (marker !== undefined) return findMarker(database.lookUps, feed, marker, timeline);
      return since === undefined ? 0 : findTime(database.lookUps, feed, since);
    },
    readPage: (after, limit, framing, filter) => {
      const queryable = isShortPage(limit, filter) ? database.lookUps : database;
      return readPage(queryable, feed, after, limit, framing, filter);
    },
    findEntry: async (statement) => {
      const [found] = await database.lookUps.query(statement);
      return found;
    },
  };
}

/** @param end the position of the last entry on the primary */
function viewStandby(
  standbys: StandbyReads,
  history: string | null,
  feed: Feed,
  end: number,
  primary: FeedView,
): FeedView {
  const standby: Queryable = {
    query: async <Result extends object>(statement: Statement<Result>) => {
      const rows = await standbys.query(history, statement);
      if (rows === undefined) throw new NotOnStandbyError();
      return rows;
    },
  };
  const elsePrimary = async <Result>(
    read: () => Promise<Result>,
    readPrimary: () => Promise<Result>,
  ) => {
    try {
      return await read();
    } catch (error) {
      // Of a status that the standby does not have yet, it cannot say that it was never there.
      const isMissing =
        error instanceof NotOnStandbyError ||
        error instanceof UnknownMarkerError ||
        error instanceof MarkerExpiredError;
      if (!isMissing) throw error;
      return readPrimary();
    }
  };
  return {
    findStart: ({ marker, timeline, since }) =>
      elsePrimary(
        async () => {
          // A standby that is behind does not know which of the entries that it lacks were added before a time.
          if (since !== undefined) throw new NotOnStandbyError();
          const position =
            marker === undefined ? 0 : await findMarker(standby, feed, marker, timeline);
          if (position > end) throw new NotOnStandbyError();
          return position;
        },
        () => primary.findStart({ marker, timeline, since }),
      ),
    readPage: async (after, limit, framing, filter) => {
      if (after >= end) return emptyPage(after, framing);
      // What a filter selects may depend on other tables, which a standby has in an older state.
      if (filter !== undefined) return primary.readPage(after, limit, framing, filter);
      return elsePrimary(
        async () => {
          const wanted = Math.min(limit, end - after);
          const page = await readPage(standby, feed, after, wanted, framing);
          if (page.position > end || (page.position < end && !page.more)) {
            standbys.countBehind();
            throw new NotOnStandbyError();
          }
          // A page that ends where the feed ends is full only if it has as many entries as were requested.
          return { ...page, more: page.more && (page.position < end || page.entries === limit) };
        },
        () => primary.readPage(after, limit, framing, filter),
      );
    },
    findEntry: (statement) =>
      elsePrimary(
        async () => {
          const [found] = await standby.query(statement);
          if (found !== undefined && found.position <= end) return found;
          standbys.countBehind();
          throw new NotOnStandbyError();
        },
        () => primary.findEntry(statement),
      ),
  };
}

/** A recorded request: its status as the JSON text that is sent; `undefined` if it was about something else. */
export type FoundStatus = { status: string | undefined };
