// One line on stderr that tells how far long work has come; none where nobody looks at a terminal.

/** How often it is written anew, in milliseconds. */
const EVERY = 250;

/** Erases the line that the cursor is on. */
const ERASE = '\r\u001b[K';

/** The line, from now on until `end`. */
export class ProgressLine {
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param text gives what there is to tell */
  constructor(text: () => string) {
    if (process.stderr.isTTY !== true) return;
    this.#timer = setInterval(() => {
      process.stderr.write(`${ERASE}${text()}`);
    }, EVERY);
  }

  /** Tells something else, which stays above the line. */
  above(telling: () => void): void {
    this.#erase();
    telling();
  }

  /** Takes the line away. */
  end(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #erase(): void {
    if (this.#timer !== undefined) process.stderr.write(ERASE);
  }
}
