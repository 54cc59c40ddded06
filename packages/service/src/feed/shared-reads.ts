// Reads of those who follow the end of one feed: they are all woken at once, and share one query.
import type { Page } from './read-feed.js';

/** The reads of one server that are about to begin. */
export class SharedReads {
  readonly #asked = new Map<string, Promise<Page>>();

  /**
   * Those who ask for the same in one turn of the event loop get it from one read. It begins when all of them have
   * asked, so nobody sees less than by a read of his own.
   *
   * @param what a text that tells apart what is read
   */
  read(what: string, read: () => Promise<Page>): Promise<Page> {
    const asked =
      this.#asked.get(what) ??
      new Promise((resolve) => setImmediate(resolve)).then(() => {
        this.#asked.delete(what);
        return read();
      });
    this.#asked.set(what, asked);
    return asked;
  }
}
