// Concurrent identical reads are coalesced into one query: all who follow the end of one feed are woken at once.
import type { Page } from './read-feed.js';

/** The reads of one server that are about to begin. */
export class ReadCoalescer {
  readonly #pending = new Map<string, Promise<Page>>();

  /**
   * Reads of one turn of the event loop share one query. It begins after all of them were requested, so none sees less
   * than by a query of its own.
   *
   * @param key identifies what is read
   */
  read(key: string, read: () => Promise<Page>): Promise<Page> {
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
