// Reads the goods-item stream as an organisation sees it: the one place that applies views, for whoever reads or delivers pages.
//
// A view may show one message of millions, so each statement searches a part of the stream, and what was searched in vain is
// remembered: a client that asks again with the same marker does not make it be searched again.
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';
import type { Database } from '../database/database.js';
import { MarkerExpiredError } from '../feed/feed.js';
import { type Framing, maxBytesOf } from '../feed/queries.js';
import { emptyPage, type Page, type Restriction } from '../feed/read-feed.js';
import { Turns } from '../turns.js';
import { goodsItemEvents } from './event-feed.js';
import type { CurrentView, GoodsItemViews } from './goods-item-views.js';
import { SCANNED, selectLastShown, selectShown, selectStreamEnds } from './view-queries.js';

/** How many positions it is remembered of what follows them. */
const MAX_REMEMBERED = 20_000;

/** How long the last message is searched that a view shows, in milliseconds. */
const MAX_SEARCH_MS = 2000;

/** A message that is shown. */
type Shown = { id: string; position: number; text: string };

/** What a view shows after a position: a part of it, in its order. */
export type FoundMessages = {
  shown: readonly Shown[];
  /** Up to where was searched: the next search begins there. */
  position: number;
  /** Whether more may follow. */
  more: boolean;
};

/** The last message that a view shows up to a position; without one, position 0. */
type LastShown = { position: number; id: string | undefined; upTo: number };

/** Puts texts together to a page, as the database does it for readers who see everything. */
const asArray = (shown: readonly Shown[]) => `[${shown.map(({ text }) => text).join(',')}]`;
const joined: Record<Framing, (shown: readonly Shown[]) => string> = {
  json: asArray,
  delivery: asArray,
  ndjson: (shown) => shown.map(({ text }) => `${text}\n`).join(''),
  events: (shown) => shown.map(({ id, text }) => `id: ${id}\ndata: ${text}\n\n`).join(''),
};

/** Reads the stream for organisations. */
export class GoodsItemReader {
  readonly #database: Database;
  readonly #views: GoodsItemViews;
  /** By the view and a position: up to where nothing follows it that the view shows. */
  readonly #searched = new LRUCache<string, number>({ ...atMost(MAX_REMEMBERED) });
  /** By the view: the last message that it shows, and up to where that is known. */
  readonly #last = new LRUCache<string, LastShown>({
    ...atMost(MAX_REMEMBERED),
  });
  #generation = 0;

  constructor(database: Database, views: GoodsItemViews) {
    this.#database = database;
    this.#views = views;
    // Positions may be those of other messages.
    const forget = () => {
      this.#generation++;
      this.#searched.clear();
      this.#last.clear();
    };
    database.replacements.onOutdated(forget);
    database.replacements.onReplaced(forget);
  }

  /** What restricts the reads of an organisation; `undefined` if it sees everything. */
  async findRestriction(organisation: number): Promise<Restriction | undefined> {
    const view = await this.#views.find(organisation);
    return (
      view && {
        id: keyOf(view),
        readPage: (after, limit, framing, upTo) =>
          this.#readShown(view, after, limit, framing, upTo),
      }
    );
  }

  /**
   * The last message that a view shows, after which a reader of the current items continues. A reader without one continues
   * with the oldest that is kept, which ends with the same items.
   */
  async findLastShown(view: CurrentView): Promise<string | undefined> {
    const [ends] = await this.#database.query(selectStreamEnds);
    if (ends === undefined) return undefined;
    const generation = this.#generation;
    const key = keyOf(view);
    const before = this.#last.get(key);
    const kept = before !== undefined && before.position > ends.first ? before : undefined;
    const until = performance.now() + MAX_SEARCH_MS;
    let found: { position: number; id: string } | undefined;
    for (let upTo = ends.last; upTo > Math.max(ends.first, before?.upTo ?? 0); upTo -= SCANNED) {
      [found] = await this.#database.query(selectLastShown(view.view, upTo));
      if (found !== undefined) break;
      // An earlier one is right too: more of the stream is read again.
      if (performance.now() >= until) return kept?.id;
    }
    const last = found ?? kept ?? { position: 0, id: undefined };
    if (generation === this.#generation) this.#last.set(key, { ...last, upTo: ends.last });
    return last.id;
  }

  /**
   * Finds the next messages that a view shows.
   *
   * @param upTo no later message is found; default: all are
   * @throws MarkerExpiredError when messages after the position are not kept any longer
   */
  async findShown(
    view: CurrentView,
    after: number,
    limit: number,
    maxBytes: number,
    upTo = Number.MAX_SAFE_INTEGER,
  ): Promise<FoundMessages> {
    const generation = this.#generation;
    const key = keyOf(view);
    const start = Math.min(upTo, this.#searched.get(`${key}:${after}`) ?? after);
    const scannedTo = Math.min(upTo, start + SCANNED);
    const rows = await this.#database.query(
      selectShown(view.view, { after: start, upTo: scannedTo, limit }, maxBytes),
    );
    const [first] = rows;
    if (first === undefined) return { shown: [], position: start, more: false };
    if (after > 0 && first.removedPosition > start) throw new MarkerExpiredError(goodsItemEvents);
    // Position 0 is before the oldest message that is kept, and not where a reader has ended.
    const begin = Math.max(start, first.removedPosition);
    const shown: Shown[] = [];
    let last = begin;
    const turns = new Turns(view.organisation);
    for (const { position, id, adds, entry } of rows) {
      if (position === null || id === null || entry === null) break;
      shown.push({ id, position, text: view.render(entry, adds) });
      last = position;
      if (turns.over) await turns.next();
    }
    const found = first.position === null ? 0 : rows.length;
    const isFull = found === limit || found > shown.length;
    const position = isFull ? last : Math.max(last, Math.min(first.feedEnd, scannedTo));
    if (generation === this.#generation && position > (shown.length > 0 ? last : start)) {
      this.#searched.set(`${key}:${shown.length > 0 ? last : after}`, position);
    }
    return { shown, position, more: isFull || position < Math.min(first.feedEnd, upTo) };
  }

  async #readShown(
    view: CurrentView,
    after: number,
    limit: number,
    framing: Framing,
    upTo?: number,
  ): Promise<Page> {
    const maxBytes = maxBytesOf[framing];
    const { shown, position, more } = await this.findShown(view, after, limit, maxBytes, upTo);
    return {
      entries: shown.length,
      more,
      position,
      marker: shown.at(-1)?.id,
      body: shown.length > 0 ? joined[framing](shown) : emptyPage(position, framing).body,
    };
  }
}

/** Identifies a view of an organisation, in one of its versions. */
function keyOf({ organisation, version }: CurrentView): string {
  return `${organisation}:${version}`;
}
