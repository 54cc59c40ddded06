// Full pages that were read lately, as the bytes that are sent. A full page never changes: entries are only appended.
import { LRUCache } from 'lru-cache';
import type { Feed } from './feed.js';
import type { Framing } from './queries.js';

/** Most memory for the pages of one server, in bytes. */
const MOST_MEMORY = 64 * 1024 * 1024;

/** How long a page is remembered, in milliseconds: what is no longer kept is not given for long. */
const REMEMBERED = 60_000;

/** What makes a page: its feed, the marker that it follows, and how it was asked for. */
export type PageKey = {
  feed: Feed;
  marker: string | undefined;
  limit: number;
  framing: Framing;
};

/** A page as it is sent: how many entries, and the memory that it takes, in bytes. */
type SentPage = { entries: number; bytes: number };

/**
 * Remembers full pages. Many read the same stream, each from a marker of its own but over the same entries: the
 * second to come is given what the first was.
 */
export class FullPages<Page extends SentPage> {
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MOST_MEMORY,
    sizeCalculation: ({ bytes }) => bytes + 500,
    ttl: REMEMBERED,
    ttlResolution: 0,
  });

  get(key: PageKey): Page | undefined {
    return this.#pages.get(textOf(key));
  }

  /** Remembers the page when it is full. */
  note(key: PageKey, page: Page): void {
    if (page.entries < key.limit) return;
    this.#pages.set(textOf(key), page);
  }
}

function textOf({ feed: { kind, owner }, marker = '', limit, framing }: PageKey): string {
  return `${kind.number}:${owner}:${framing}:${limit}:${marker}`;
}
