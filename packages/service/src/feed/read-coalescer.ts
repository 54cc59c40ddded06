// Concurrent identical reads are coalesced into one query: all who follow the end of one feed are woken at once.
import type { Page } from './read-feed.js';

/** A page whose entries are bytes, which all who read it share. */
export type EventsPage = Omit<Page, 'body'> & { bytes: Buffer };

/** The reads of one server that are about to begin. */
export class ReadCoalescer {
  readonly #pending = new Map<string, Promise<EventsPage>>();

  /**
   * Reads of one turn of the event loop share one query. It begins after all of them were requested, so none sees less
   * than by a query of its own.
   *
   * @param key identifies what is read
   */
  read(key: string, read: () => Promise<EventsPage>): Promise<EventsPage> {
    const pending =
      this.#pending.get(key) ??
      new Promise((resolve) => setImmediate(resolve)).then(() => {
        this.#pending.delete(key);
        return read();
      });
    this.#pending.set(key, pending);
    return pending;
  }
}
