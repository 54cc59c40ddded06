// Where feeds end on the primary. Concurrent readers share a statement: it costs the primary much less than their pages.
import type { Queryable } from '../database/database.js';
import type { Feed } from './feed.js';
import { type FeedEndRow, selectFeedEnds } from './queries.js';

/** The statement that is sent next for a kind of feed, and who takes part in it. */
type NextStatement = { owners: Set<number>; rows: Promise<ReadonlyMap<number, FeedEndRow>> };

/** Reads ends of feeds, one statement for each kind at a time. */
export class FeedEnds {
  readonly #primary: Queryable;
  readonly #next = new Map<number, NextStatement>();
  readonly #running = new Map<number, Promise<unknown>>();

  constructor(primary: Queryable) {
    this.#primary = primary;
  }

  /** The end of a feed, as it is now or later: a statement that is under way is not used. */
  async read({ kind, owner }: Feed): Promise<Pick<FeedEndRow, 'position' | 'history'>> {
    let next = this.#next.get(kind.number);
    if (next === undefined) {
      const owners = new Set<number>();
      const rows = this.#previous(kind.number).then(async () => {
        this.#next.delete(kind.number);
        const ends = await this.#primary.query(selectFeedEnds(kind, [...owners]));
        return new Map(ends.map((end) => [end.owner, end]));
      });
      next = { owners, rows };
      this.#next.set(kind.number, next);
      this.#running.set(kind.number, rows);
    }
    next.owners.add(owner);
    const end = (await next.rows).get(owner);
    if (end === undefined) throw new Error('the end of a feed was not read');
    return end;
  }

  /** Resolves when the statement before has ended. */
  async #previous(kind: number): Promise<void> {
    await this.#running.get(kind)?.catch(() => undefined);
  }
}
