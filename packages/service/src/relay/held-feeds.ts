// Feeds whose next entry NATS refuses though it takes those of others. They wait, so that no other feed waits for them, and
// are tried again at intervals.

/** How long a feed waits, in milliseconds. */
const HOLD_MS = 10_000;

/** The feeds that wait, by their owners. */
export class HeldFeeds {
  readonly #held = new Map<number, { position: number; until: number }>();

  /** Makes a feed wait. Returns whether it did not wait for this entry before. */
  hold(owner: number, position: number): boolean {
    const isNew = this.#held.get(owner)?.position !== position;
    this.#held.set(owner, { position, until: performance.now() + HOLD_MS });
    return isNew;
  }

  /** Whether it waits. */
  has(owner: number): boolean {
    const held = this.#held.get(owner);
    return held !== undefined && performance.now() < held.until;
  }

  /** An entry of it was stored. */
  release(owner: number): void {
    this.#held.delete(owner);
  }
}
