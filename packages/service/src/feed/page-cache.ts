// Pages that were read lately, as the bytes that are sent. A page that more may follow never changes: entries are only
// appended.
import { LRUCache } from 'lru-cache';
import type { Feed } from './feed.js';
import type { Framing } from './queries.js';

/** Maximum memory for the pages of one server, in bytes. */
const MAX_MEMORY = 64 * 1024 * 1024;

/** How long a page is kept, in milliseconds: an expired entry is not sent for long. */
const TTL_MS = 60_000;

/** What identifies a page: its feed, the marker that it follows, and how it was requested. */
export type PageKey = {
  feed: Feed;
  marker: string | undefined;
  limit: number;
  framing: Framing;
};

/** A page as it is sent: whether more may follow, and the memory that it takes, in bytes. */
type SentPage = { more: boolean; bytes: number };

/** Many read the same stream, each from a marker of its own but over the same entries: they share its pages. */
export class PageCache<Page extends SentPage> {
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MAX_MEMORY,
    sizeCalculation: ({ bytes }) => bytes + 500,
    ttl: TTL_MS,
    ttlResolution: 0,
  });
  #generation = 0;

  get(key: PageKey): Page | undefined {
    return this.#pages.get(textOf(key));
  }

  /** Changes whenever the cache is emptied. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Keeps the page unless entries may still be added to it.
   *
   * @param generation that of the cache before the page was read: it is not kept if it may have been read before the cache
   * was emptied
   */
  set(key: PageKey, page: Page, generation: number): void {
    if (page.more && generation === this.#generation) this.#pages.set(textOf(key), page);
  }

  /** Empties the cache, when the entries of feeds may be other ones. */
  clear(): void {
    this.#generation++;
    this.#pages.clear();
  }
}

function textOf({ feed: { kind, owner }, marker = '', limit, framing }: PageKey): string {
  return `${kind.number}:${owner}:${framing}:${limit}:${marker}`;
}
