// How much the uploads that are under way may hold in memory: each organisation's, and all together.
import { getHeapStatistics } from 'node:v8';

/** What may be held at most, in bytes of message text. */
export type UploadLimits = { organisation: number; total: number };

const MIB = 1024 * 1024;

/**
 * What fits the heap that this process has: a character may take two bytes, and a block that is stored is there twice.
 * An upload of one organisation always has room for what is published all or none.
 */
export function defaultUploadLimits(heapLimit = getHeapStatistics().heap_size_limit): UploadLimits {
  return {
    organisation: 32 * MIB,
    total: Math.max(48 * MIB, Math.min(128 * MIB, Math.floor(heapLimit / 8))),
  };
}

/** There is no room for what an upload sends; others have to end first. */
export class UploadsFullError extends Error {
  readonly code = 'UPLOADS_FULL';
  override name = 'UploadsFullError';
  /** Whose uploads are too much: the organisation's own, or those of all. */
  readonly whose: 'organisation' | 'all';

  constructor(whose: 'organisation' | 'all') {
    super(
      whose === 'organisation'
        ? "the organisation's uploads under way hold as much as they may"
        : 'the uploads under way hold as much as this server has room for',
    );
    this.whose = whose;
  }
}

/** What one upload holds, until it is released. */
export type HeldBytes = {
  /**
   * Changes how much it holds.
   *
   * @throws UploadsFullError when it would hold more than before and there is no room
   */
  set(bytes: number): void;
  release(): void;
};

/** Counts what all uploads of this server hold. */
export class UploadBudget {
  readonly #limits: UploadLimits;
  readonly #byOrganisation = new Map<number, number>();
  #total = 0;

  constructor(limits: UploadLimits = defaultUploadLimits()) {
    this.#limits = limits;
  }

  /** What is held in all, in bytes. */
  get total(): number {
    return this.#total;
  }

  open(organisation: number): HeldBytes {
    let held = 0;
    const change = (bytes: number) => {
      const own = (this.#byOrganisation.get(organisation) ?? 0) + bytes - held;
      const total = this.#total + bytes - held;
      if (bytes > held && own > this.#limits.organisation) {
        throw new UploadsFullError('organisation');
      }
      if (bytes > held && total > this.#limits.total) throw new UploadsFullError('all');
      held = bytes;
      this.#total = total;
      if (own === 0) this.#byOrganisation.delete(organisation);
      else this.#byOrganisation.set(organisation, own);
    };
    return { set: change, release: () => change(0) };
  }
}
