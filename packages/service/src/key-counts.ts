// Counts what is open, queued or running for each organisation, address or other owner.

/** A count for each key. A key of which nothing is left takes no memory. */
export class KeyCounts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  /** Takes back one `add`. */
  remove(key: Key): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  clear(): void {
    this.#counts.clear();
  }
}
