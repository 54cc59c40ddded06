// Reports that what was read of a database may not be what it has now.

/** Those who keep data of a database in memory, and drop it when the data is another one. */
export class Replacements {
  readonly #handlers: (() => void | Promise<void>)[] = [];
  readonly #cacheHandlers: (() => void)[] = [];

  /** Calls the handler whenever the data was replaced as a whole. */
  readonly onReplaced = (handle: () => void | Promise<void>): void => {
    this.#handlers.push(handle);
  };

  /** Calls the handler whenever the data was replaced, or a server with another history became the primary. */
  readonly onOutdated = (handle: () => void): void => {
    this.#cacheHandlers.push(handle);
  };

  /** Resolves when nobody has old data in memory any longer. */
  readonly replaced = async (): Promise<void> => {
    this.outdated();
    await Promise.all(this.#handlers.map((handle) => handle()));
  };

  /** Reports that what is cached may be wrong. */
  readonly outdated = (): void => {
    for (const handle of this.#cacheHandlers) handle();
  };
}
