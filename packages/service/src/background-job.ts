// Work that is repeated in the background, one run at a time.

/** Repeats its work until it is closed. A run that fails is reported, and the next one continues. */
export class BackgroundJob {
  readonly #interval: number;
  readonly #work: () => Promise<void>;
  readonly #reportFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #lastRun: Promise<void> = Promise.resolve();
  #runs = 0;

  /** @param interval the time between the beginnings of two runs, in milliseconds */
  constructor(
    interval: number,
    work: () => Promise<void>,
    reportFailure: (error: unknown) => void,
  ) {
    this.#interval = interval;
    this.#work = work;
    this.#reportFailure = reportFailure;
  }

  /** Begins the first run after the interval. While the database hangs, runs do not pile up. */
  start(): void {
    this.#timer = setInterval(() => {
      if (this.#runs === 0) void this.run();
    }, this.#interval).unref();
  }

  /** Runs now, after the run that is in progress. */
  run(): Promise<void> {
    this.#runs++;
    this.#lastRun = this.#lastRun
      .then(this.#work)
      .catch(this.#reportFailure)
      .finally(() => {
        this.#runs--;
      });
    return this.#lastRun;
  }

  /** Ends it after the run that is in progress. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastRun;
  }
}
