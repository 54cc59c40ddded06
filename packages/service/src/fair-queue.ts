// A queue in which owners take turns, so that one with many items does not delay another one's.

/** Items that wait: those of one owner in their order, and one of each owner after the other. */
export class FairQueue<Owner, Item> {
  /** The first owner has the next turn, and is the last one then. */
  readonly #byOwner = new Map<Owner, Set<Item>>();
  #size = 0;

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /** How many items of one owner wait. */
  countOf(owner: Owner): number {
    return this.#byOwner.get(owner)?.size ?? 0;
  }

  add(owner: Owner, item: Item): void {
    const items = this.#byOwner.get(owner);
    if (items === undefined) this.#byOwner.set(owner, new Set([item]));
    else items.add(item);
    this.#size++;
  }

  /**
   * Removes the next item, and returns it.
   *
   * @param mayTake whether an owner may have a turn now; the first one who may has it
   */
  take(mayTake: (owner: Owner) => boolean = () => true): Item | undefined {
    const next = this.#firstOf(mayTake);
    if (next === undefined) return undefined;
    const [owner, items] = next;
    const [item] = items;
    this.#byOwner.delete(owner);
    if (items.size > 1) this.#byOwner.set(owner, items);
    if (item !== undefined) items.delete(item);
    this.#size--;
    return item;
  }

  #firstOf(mayTake: (owner: Owner) => boolean): [Owner, Set<Item>] | undefined {
    for (const entry of this.#byOwner) {
      if (mayTake(entry[0])) return entry;
    }
    return undefined;
  }

  /** Removes one item, if it waits. */
  remove(owner: Owner, item: Item): void {
    const items = this.#byOwner.get(owner);
    if (items?.delete(item) !== true) return;
    this.#size--;
    if (items.size === 0) this.#byOwner.delete(owner);
  }

  /** The last item of the owner with the most items, if these are more than so many. */
  lastOfMost(more: number): Item | undefined {
    let most: Set<Item> | undefined;
    for (const items of this.#byOwner.values()) {
      if (items.size > (most?.size ?? more)) most = items;
    }
    return most && [...most].at(-1);
  }
}
