// Limits the disk space of results that uploads have produced and their clients have not read.

/** The limits, in bytes. */
export type UnreadResultLimits = { total: number; upload: number };

/** Counts the bytes of all uploads of this server. */
export class UnreadResults {
  readonly #limits: UnreadResultLimits;
  bytes = 0;

  constructor(limits: UnreadResultLimits) {
    this.#limits = limits;
  }

  /** The bytes that the file of one upload may have. */
  get uploadLimit(): number {
    return this.#limits.upload;
  }

  /** Takes room for more results of an upload, which has so many unread ones. An upload that has none gets it. */
  take(bytes: number, unread: number): boolean {
    const isFull = unread + bytes > this.#limits.upload || this.bytes + bytes > this.#limits.total;
    if (isFull && unread > 0) return false;
    this.bytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.bytes -= bytes;
  }
}
