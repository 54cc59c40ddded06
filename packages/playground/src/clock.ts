// The playground's clock: it runs, or is stopped until it is set or advanced. Everything that is recorded, and by
// which tokens, grants and entries end, follows it; limits and timeouts are measured in real time.

import { PlaygroundOptionError } from './option-error.js';

/** The clock at one moment. */
export type ClockState = {
  /** ISO 8601, in UTC with milliseconds. */
  time: string;
  /** Whether the time advances by itself. */
  running: boolean;
};

/** A change of the clock; what is left out stays as it is. */
export type ClockChange = {
  /** ISO 8601; not together with `advance`. */
  time?: string | undefined;
  /** Seconds to add. */
  advance?: number | undefined;
  running?: boolean | undefined;
};

/** A clock that can be stopped, set and advanced. */
export class PlaygroundClock {
  /** The time at which it is stopped, or the difference to the system's clock while it runs, in milliseconds. */
  #base = 0;
  #running = true;

  constructor(change: ClockChange = {}) {
    this.set(change);
  }

  /** The time. */
  readonly now = (): Date => new Date(this.#running ? Date.now() + this.#base : this.#base);

  state(): ClockState {
    return { time: this.now().toISOString(), running: this.#running };
  }

  /** @throws PlaygroundOptionError if there is no such time; then nothing is changed */
  set({ time, advance = 0, running = this.#running }: ClockChange): void {
    const from = time === undefined ? this.now().getTime() : new Date(time).getTime();
    const now = from + advance * 1000;
    if (Number.isNaN(new Date(now).getTime())) {
      throw new PlaygroundOptionError(
        `clock: time must be a time in ISO 8601 and advance a number of seconds, not ${time ?? advance}`,
      );
    }
    this.#running = running;
    this.#base = running ? now - Date.now() : now;
  }
}
