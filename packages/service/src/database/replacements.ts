// Reports that all data of a database was replaced, as a playground does when it is reset.

/** Those who keep data of a database in memory, and drop it when the data was replaced. */
export class Replacements {
  readonly #handlers: (() => void | Promise<void>)[] = [];

  /** Calls the handler whenever the data was replaced. */
  readonly onReplaced = (handle: () => void | Promise<void>): void => {
    this.#handlers.push(handle);
  };

  /** Resolves when nobody has old data in memory any longer. */
  readonly replaced = async (): Promise<void> => {
    await Promise.all(this.#handlers.map((handle) => handle()));
  };
}
