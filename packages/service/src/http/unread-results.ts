// Limits the disk space of results that uploads have produced and their clients have not read.
import { defaultConnectionLimits } from './http-server.js';

/**
 * How long an upload waits for a client that reads none of its results, in milliseconds. It is nearly as long as until
 * the connection counts as stalled and is closed: the operating system buffers megabytes and says in large steps what
 * was read, so a slow client seems to read nothing for a while.
 */
const READ_TIMEOUT_MS = 0.75 * defaultConnectionLimits.stalledAfterMs;

/** The limits, in bytes; `readTimeoutMs`: how long a client may read nothing, if not as long as usual. */
export type UnreadResultLimits = { total: number; upload: number; readTimeoutMs?: number };

/** Counts the bytes of all uploads of this server. */
export class UnreadResults {
  readonly #limits: UnreadResultLimits;
  /** The uploads of each organisation that have unread results, the one that has them for longest first. */
  readonly #organisations = new Map<number, Set<UploadResults>>();
  bytes = 0;

  constructor(limits: UnreadResultLimits) {
    this.#limits = limits;
  }

  /** The bytes that the file of one upload may have. */
  get uploadLimit(): number {
    return this.#limits.upload;
  }

  /** How long an upload waits for a client that reads nothing, in milliseconds. */
  get readTimeoutMs(): number {
    return this.#limits.readTimeoutMs ?? READ_TIMEOUT_MS;
  }

  /** @param end ends the upload */
  open(organisation: number, end: () => void): UploadResults {
    return new UploadResults(this, organisation, end);
  }

  /**
   * Takes room for more results of an upload. An upload that has none gets it. If all together are at their limit, the
   * oldest uploads of whoever has most are ended, so that nobody can take the room of others.
   */
  take(upload: UploadResults, bytes: number): boolean {
    if (upload.bytes > 0) {
      if (upload.bytes + bytes > this.#limits.upload) return false;
      while (this.bytes + bytes > this.#limits.total) {
        const [largest, size] = this.#largest();
        const [oldest] = largest;
        if (oldest === undefined || this.#bytesOf(upload.organisation) + bytes > size) return false;
        oldest.end();
      }
    }
    this.bytes += bytes;
    const own = this.#organisations.get(upload.organisation) ?? new Set();
    this.#organisations.set(upload.organisation, own.add(upload));
    return true;
  }

  /** @param isEmpty whether the upload has no unread results any more */
  release(upload: UploadResults, bytes: number, isEmpty: boolean): void {
    this.bytes -= bytes;
    if (!isEmpty) return;
    const own = this.#organisations.get(upload.organisation);
    own?.delete(upload);
    if (own?.size === 0) this.#organisations.delete(upload.organisation);
  }

  #bytesOf(organisation: number): number {
    return sumOf(this.#organisations.get(organisation) ?? []);
  }

  #largest(): [uploads: Iterable<UploadResults>, bytes: number] {
    let largest: [Iterable<UploadResults>, number] = [[], 0];
    for (const uploads of this.#organisations.values()) {
      const bytes = sumOf(uploads);
      if (bytes > largest[1]) largest = [uploads, bytes];
    }
    return largest;
  }
}

/** What one upload has. */
export class UploadResults {
  readonly organisation: number;
  readonly #all: UnreadResults;
  readonly #end: () => void;
  #closed = false;
  bytes = 0;

  constructor(all: UnreadResults, organisation: number, end: () => void) {
    this.#all = all;
    this.organisation = organisation;
    this.#end = end;
  }

  /** Takes room for more results; false if there is none. */
  take(bytes: number): boolean {
    if (this.#closed) return true;
    if (!this.#all.take(this, bytes)) return false;
    this.bytes += bytes;
    return true;
  }

  /** So many bytes were read. */
  release(bytes: number): void {
    if (this.#closed) return;
    this.bytes -= bytes;
    this.#all.release(this, bytes, this.bytes === 0);
  }

  /** Releases all. */
  close(): void {
    this.release(this.bytes);
    this.#closed = true;
  }

  end(): void {
    this.close();
    this.#end();
  }
}

function sumOf(uploads: Iterable<UploadResults>): number {
  let sum = 0;
  for (const { bytes } of uploads) sum += bytes;
  return sum;
}
