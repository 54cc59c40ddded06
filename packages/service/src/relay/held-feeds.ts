// Feeds and views that cannot be relayed though others can, because NATS or the database refuses something of them alone. They
// wait, so that no other waits for them, and are tried again at intervals.

/** How long one waits, in milliseconds. */
const HOLD_MS = 10_000;

/** Those that wait, by their owners. */
export class HeldFeeds {
  readonly #held = new Map<number, { at: number | string; until: number }>();

  /** How many wait, or were not tried again since they did. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Makes one wait. Returns whether it did not wait there before.
   *
   * @param at the position of its next entry, or the state of a view
   */
  hold(owner: number, at: number | string): boolean {
    const isNew = this.#held.get(owner)?.at !== at;
    this.#held.set(owner, { at, until: performance.now() + HOLD_MS });
    return isNew;
  }

  /** Whether it waits, and there if that is given. */
  has(owner: number, at?: number | string): boolean {
    const held = this.#held.get(owner);
    if (held === undefined || (at !== undefined && held.at !== at)) return false;
    return performance.now() < held.until;
  }

  /** It has got further. */
  release(owner: number): void {
    this.#held.delete(owner);
  }
}
