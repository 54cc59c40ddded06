// Reports that what was read of a database may not be what it has now.
import type { DatabaseReplacements } from './database.js';

/** Those who keep data of a database in memory, and drop it when the data is another one. */
export class Replacements implements DatabaseReplacements {
  readonly #handlers: (() => void | Promise<void>)[] = [];
  readonly #cacheHandlers: (() => void)[] = [];

  onReplaced(handle: () => void | Promise<void>): void {
    this.#handlers.push(handle);
  }

  onOutdated(handle: () => void): void {
    this.#cacheHandlers.push(handle);
  }

  async replaced(): Promise<void> {
    this.outdated();
    await Promise.all(this.#handlers.map((handle) => handle()));
  }

  outdated(): void {
    for (const handle of this.#cacheHandlers) handle();
  }
}
