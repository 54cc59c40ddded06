// How many entries are not relayed yet, without asking every feed each time: those that have grown, those that were not
// relayed completely, and some others, in case an announcement was lost.
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { selectLags } from './queries.js';
import type { RelayedFeeds } from './relayed-feeds.js';

/** How many further feeds one reading asks. */
const SWEPT_FEEDS = 1000;

/** More than there are feeds: the first reading asks all. */
const ALL_FEEDS = 2 ** 31 - 1;

/** The lag of the feeds of one kind, by whichever server relays them. */
export class RelayLag {
  readonly #database: Database;
  readonly #feeds: RelayedFeeds;
  readonly #stopWatching: () => void;
  /** Feeds that are not relayed completely, as far as is known. */
  readonly #lags = new Map<number, number>();
  readonly #grown = new Set<number>();
  #sweptTo: number | undefined;
  #reading: Promise<number> | undefined;

  constructor(database: Database, watch: FeedWatch, feeds: RelayedFeeds) {
    this.#database = database;
    this.#feeds = feeds;
    this.#stopWatching = watch.watchKind(feeds.kind, (owner) => this.#grown.add(owner));
    database.replacements.onOutdated(() => {
      this.#sweptTo = undefined;
    });
  }

  /** The entries of all feeds that are not relayed; concurrent calls share a reading. */
  read(): Promise<number> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  close(): void {
    this.#stopWatching();
  }

  async #read(): Promise<number> {
    const grown = [...this.#grown];
    this.#grown.clear();
    const asked = [...new Set([...grown, ...this.#lags.keys()])];
    const isFirst = this.#sweptTo === undefined;
    const limit = isFirst ? ALL_FEEDS : SWEPT_FEEDS;
    try {
      const rows = await this.#database.query(
        selectLags(this.#feeds, asked, this.#sweptTo ?? -1, limit),
      );
      for (const { owner, lag } of rows) {
        if (lag > 0) this.#lags.set(owner, lag);
        else this.#lags.delete(owner);
      }
      const swept = rows.filter(({ isSwept }) => isSwept);
      this.#sweptTo = swept.length < limit ? -1 : (swept.at(-1)?.owner ?? -1);
    } catch (error) {
      for (const owner of grown) this.#grown.add(owner);
      throw error;
    }
    return [...this.#lags.values()].reduce((sum, lag) => sum + lag, 0);
  }
}
