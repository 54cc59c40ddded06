// Limits how much memory the uploads in progress hold: those of each organisation, and all together.
import { getHeapStatistics } from 'node:v8';

/** The limits, in bytes of message text. */
export type UploadLimits = { organisation: number; total: number };

const MIB = 1024 * 1024;

/**
 * The limits for the heap of this process: a character may take two bytes, and a block that is being stored exists
 * twice. One organisation can always upload what is published all or none.
 */
export function defaultUploadLimits(heapLimit = getHeapStatistics().heap_size_limit): UploadLimits {
  return {
    organisation: 32 * MIB,
    total: Math.max(48 * MIB, Math.min(128 * MIB, Math.floor(heapLimit / 8))),
  };
}

/** The uploads in progress reached a limit. */
export class UploadsFullError extends Error {
  readonly code = 'UPLOADS_FULL';
  override name = 'UploadsFullError';
  /** Whose limit was reached. */
  readonly whose: 'organisation' | 'all';

  constructor(whose: 'organisation' | 'all') {
    super(
      whose === 'organisation'
        ? "the organisation's uploads in progress have reached their memory limit"
        : 'the uploads in progress have reached the memory limit of this server',
    );
    this.whose = whose;
  }
}

/** The bytes that one upload holds, until they are released. */
export type HeldBytes = {
  /**
   * Sets how many bytes the upload holds.
   *
   * @throws UploadsFullError when that is more than before and exceeds a limit
   */
  set(bytes: number): void;
  release(): void;
};

/** Counts the bytes that all uploads of this server hold. */
export class UploadBudget {
  readonly #limits: UploadLimits;
  readonly #byOrganisation = new Map<number, number>();
  #total = 0;

  constructor(limits: UploadLimits = defaultUploadLimits()) {
    this.#limits = limits;
  }

  /** The bytes that all uploads hold. */
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
