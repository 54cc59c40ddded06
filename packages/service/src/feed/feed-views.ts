// The one place that decides from which database a feed is read.
import type { Database } from '../database/database.js';
import type { Feed } from './feed.js';
import type { FeedFilter, Framing } from './queries.js';
import { findMarker, type Page, readPage } from './read-feed.js';

/** Up to so many entries a page is read as fast as a single entry is. */
const SHORT_PAGE = 100;

/** A feed at the time when the view was taken, or later. */
export type FeedView = {
  /**
   * The position after which a read begins: that of the marker; 0 without one.
   *
   * @throws UnknownMarkerError when the feed has no such entry
   * @throws MarkerExpiredError when entries after it are not kept any longer
   */
  findStart(marker: string | undefined): Promise<number>;

  /**
   * The entries after a position, as `readPage` gives them.
   *
   * @throws MarkerExpiredError when entries after the position are not kept any longer
   */
  readPage(after: number, limit: number, framing: Framing, filter?: FeedFilter): Promise<Page>;
};

/** Takes views of the feeds of a database. */
export class FeedViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A view for one read: everything that was committed before has an effect on it. */
  async take(feed: Feed): Promise<FeedView> {
    return this.#viewPrimary(feed);
  }

  #viewPrimary(feed: Feed): FeedView {
    const database = this.#database;
    return {
      findStart: async (marker) =>
        marker === undefined ? 0 : findMarker(database.lookUps, feed, marker),
      readPage: (after, limit, framing, filter) => {
        const isShort = limit <= SHORT_PAGE && filter === undefined;
        const queryable = isShort ? database.lookUps : database;
        return readPage(queryable, feed, after, limit, framing, filter);
      },
    };
  }
}
