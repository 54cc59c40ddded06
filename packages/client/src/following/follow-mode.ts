// How new entries are received, and the choice of another way where one does not work.

/** `events`: server-sent events; `wait`: requests that wait for an entry; `poll`: a request at intervals. */
export type FollowMode = 'events' | 'wait' | 'poll';

/** The mode cannot work here: something between client and service does not pass it on. */
export class ModeUnsupportedError extends Error {
  override name = 'ModeUnsupportedError';
}

/** Number of failures in a row after which the next mode is used. */
const MAX_FAILURES = 3;

/** The mode to use: the first of the list that works. */
export class ModeChoice {
  readonly #modes: readonly FollowMode[];
  readonly #upgradeAfterMs: number;
  #index = 0;
  #failures = 0;
  #upgradeAt = 0;

  /** @param upgradeAfterMs how long a later mode is used before the first one is tried again, in milliseconds */
  constructor(modes: readonly FollowMode[], upgradeAfterMs: number) {
    this.#modes = modes;
    this.#upgradeAfterMs = upgradeAfterMs;
  }

  choose(): FollowMode {
    if (this.#index > 0 && performance.now() >= this.#upgradeAt) this.#index = 0;
    return this.#modes[this.#index] ?? 'poll';
  }

  worked(): void {
    this.#failures = 0;
  }

  /** @param final whether the mode does not work at all, as opposed to failing once */
  failed(final: boolean): void {
    this.#failures += 1;
    const isLast = this.#index >= this.#modes.length - 1;
    if (isLast || !(final || this.#failures >= MAX_FAILURES)) return;
    this.#index += 1;
    this.#failures = 0;
    this.#upgradeAt = performance.now() + this.#upgradeAfterMs;
  }
}
