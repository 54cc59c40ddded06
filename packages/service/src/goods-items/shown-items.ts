// The current goods items as an organisation with a view sees them, page by page.
//
// The key in the position of a page is that of an item that the view shows. Where none is found in time, there is no such key:
// what was searched is remembered, and the same page is to be requested again.
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';
import type { Database } from '../database/database.js';
import { SearchUnfinishedError } from '../feed/feed.js';
import { Turns } from '../turns.js';
import type { ItemKey } from './goods-item-event.js';
import type { GoodsItemReader } from './goods-item-reader.js';
import type { CurrentView } from './goods-item-views.js';
import type { CurrentItems, ItemsRequest } from './list-current-goods-items.js';
import { SCANNED, selectShownItems } from './view-queries.js';

/** How long one request searches, in milliseconds. */
const MAX_SEARCH_MS = 5000;

/** How many positions it is remembered of what follows them, for a minute: items change. */
const MAX_REMEMBERED = 10_000;
const REMEMBERED_MS = 60_000;

/** Reads current items for organisations that have a view. */
export class ShownItems {
  readonly #database: Database;
  readonly #reader: GoodsItemReader;
  readonly #searched = new LRUCache<string, ItemKey>({
    ...atMost(MAX_REMEMBERED),
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
  });

  constructor(database: Database, reader: GoodsItemReader) {
    this.#database = database;
    this.#reader = reader;
    database.replacements.onOutdated(() => this.#searched.clear());
    database.replacements.onReplaced(() => this.#searched.clear());
  }

  /**
   * A page, as `listCurrentGoodsItems` gives it.
   *
   * @throws SearchUnfinishedError
   */
  async list(
    view: CurrentView,
    { declaration, page, limit, framing }: ItemsRequest,
  ): Promise<CurrentItems> {
    // Before the items are read: what changes them afterwards follows the marker.
    const marker = page === undefined ? await this.#reader.findLastShown(view) : page.marker;
    const begin = page?.after;
    // What is published later follows a later marker, so what was searched before it is searched again.
    const key = `${view.organisation}:${view.version}:${marker}:${begin?.declaration}/${begin?.number}/${declaration}`;
    const until = performance.now() + MAX_SEARCH_MS;
    const turns = new Turns(view.organisation);
    for (let after = this.#searched.get(key) ?? begin; ; ) {
      const rows = await this.#database.query(
        selectShownItems(view.view, after, declaration, limit),
      );
      const texts: string[] = [];
      let last: ItemKey | undefined;
      for (const { declaration, number, entry } of rows) {
        if (declaration === null || number === null || entry === null) break;
        texts.push(view.render(entry, true));
        last = { declaration, number };
        if (turns.over) await turns.next();
      }
      const [state] = rows;
      const isWholeScanned =
        texts.length < limit && (last === undefined || texts.length === rows.length);
      const isEnd = isWholeScanned && (state?.scanned ?? 0) < SCANNED;
      if (
        last !== undefined ||
        isEnd ||
        state?.lastDeclaration == null ||
        state.lastNumber === null
      ) {
        const body =
          framing === 'json' ? `[${texts.join(',')}]` : texts.map((text) => `${text}\n`).join('');
        const next = isEnd || last === undefined ? undefined : { marker, after: last };
        return { body, count: texts.length, marker, next };
      }
      after = { declaration: state.lastDeclaration, number: state.lastNumber };
      this.#searched.set(key, after);
      if (performance.now() >= until) throw new SearchUnfinishedError();
    }
  }
}
