// Limits the memory of what was produced for responses and not yet read: that of each organisation, and all of it.

/** The limits, in bytes. */
export type UnreadLimits = { total: number; organisation: number };

/** Whose bytes are counted together: an organisation, or without a token an address. */
export type Reader = number | string;

/** At most so much is usually produced at once for a response that waits for room, in bytes. */
const PART_BYTES = 256 * 1024;

/** How often a response that waits looks again, in milliseconds: room also appears when others end. */
const LOOK_AGAIN_AFTER_MS = 1000;

/** The bytes of bodies, each counted once however many responses send it. */
class Bodies {
  readonly #responses = new Map<Buffer, number>();
  bytes = 0;

  add(body: Buffer): void {
    const responses = this.#responses.get(body) ?? 0;
    if (responses === 0) this.bytes += body.length;
    this.#responses.set(body, responses + 1);
  }

  remove(body: Buffer): void {
    const responses = (this.#responses.get(body) ?? 0) - 1;
    if (responses > 0) this.#responses.set(body, responses);
    else if (this.#responses.delete(body)) this.bytes -= body.length;
  }

  /** Whether a body may be added; one that is larger than the limit is alone. */
  admits(body: Buffer, limit: number): boolean {
    return this.bytes === 0 || this.#responses.has(body) || this.bytes + body.length <= limit;
  }
}

/** What one reader has not read. */
class ReaderBytes {
  readonly bodies = new Bodies();
  /** Its responses that hold a body, the one that holds its body for longest first. */
  readonly holding = new Set<UnreadResponse>();
  /** Wakes its responses that wait for room, in their order. */
  readonly waiting = new Set<() => void>();
}

/** Counts the bytes that all responses of this server hold. */
export class UnreadBytes {
  readonly #limits: UnreadLimits;
  readonly #bodies = new Bodies();
  readonly #readers = new Map<Reader, ReaderBytes>();
  /** Responses that were ended because others needed their room. */
  ended = 0;
  /** Responses for which there was no room. */
  refused = 0;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bodies.bytes;
  }

  /** @param end ends the response */
  open(reader: Reader, end: () => void): UnreadResponse {
    return new UnreadResponse(this, reader, end);
  }

  /** Whether so many bytes more may be held for a reader. */
  hasRoom(reader: Reader, bytes: number): boolean {
    const own = this.#readers.get(reader);
    if (own === undefined || own.bodies.bytes === 0) return true;
    if (own.bodies.bytes + bytes > this.#limits.organisation) return false;
    if (this.#bodies.bytes + bytes <= this.#limits.total) return true;
    return own.bodies.bytes + bytes <= (this.#largest()?.bodies.bytes ?? 0);
  }

  /**
   * Holds a body for a response if the limit of its reader admits it. If all together are at their limit, the oldest
   * responses of whoever holds most are ended, so that nobody can take the room of others.
   */
  hold(response: UnreadResponse, body: Buffer): boolean {
    const own = this.#readers.get(response.reader) ?? new ReaderBytes();
    if (!own.bodies.admits(body, this.#limits.organisation)) return false;
    while (!this.#bodies.admits(body, this.#limits.total)) {
      const largest = this.#largest();
      const [oldest] = largest?.holding ?? [];
      if (largest === undefined || oldest === undefined) return false;
      if (own.bodies.bytes + body.length > largest.bodies.bytes) return false;
      this.ended++;
      oldest.end();
    }
    this.#readers.set(response.reader, own);
    own.bodies.add(body);
    own.holding.add(response);
    this.#bodies.add(body);
    return true;
  }

  release(response: UnreadResponse, body: Buffer): void {
    const own = this.#readers.get(response.reader);
    if (own === undefined) return;
    own.bodies.remove(body);
    own.holding.delete(response);
    this.#bodies.remove(body);
    const room = this.#limits.organisation - own.bodies.bytes;
    // As many as there is room for: all others would produce a body for nothing.
    for (const wake of [...own.waiting].slice(0, Math.max(1, Math.floor(room / PART_BYTES))))
      wake();
    this.#forget(response.reader, own);
  }

  /**
   * Resolves when a reader may have room again.
   *
   * @param give receives a function that ends the wait
   */
  wait(reader: Reader, give: (wake: () => void) => void): Promise<void> {
    const own = this.#readers.get(reader) ?? new ReaderBytes();
    this.#readers.set(reader, own);
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        own.waiting.delete(wake);
        this.#forget(reader, own);
        resolve();
      };
      const timer = setTimeout(wake, LOOK_AGAIN_AFTER_MS);
      own.waiting.add(wake);
      give(wake);
    });
  }

  #largest(): ReaderBytes | undefined {
    let largest: ReaderBytes | undefined;
    for (const reader of this.#readers.values()) {
      if (reader.bodies.bytes > (largest?.bodies.bytes ?? 0)) largest = reader;
    }
    return largest;
  }

  #forget(reader: Reader, own: ReaderBytes): void {
    const isCurrent = this.#readers.get(reader) === own;
    if (isCurrent && own.holding.size === 0 && own.waiting.size === 0) this.#readers.delete(reader);
  }
}

/** What one response holds: one body at a time. */
export class UnreadResponse {
  readonly reader: Reader;
  readonly #all: UnreadBytes;
  readonly #end: () => void;
  #body: Buffer | undefined;
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(all: UnreadBytes, reader: Reader, end: () => void) {
    this.#all = all;
    this.reader = reader;
    this.#end = end;
  }

  /** Holds a body instead of the one before; false if there is no room for it. */
  hold(body: Buffer): boolean {
    this.release();
    if (body.length === 0 || this.#closed) return true;
    if (!this.#all.hold(this, body)) return false;
    this.#body = body;
    return true;
  }

  /** The body was read. */
  release(): void {
    const body = this.#body;
    this.#body = undefined;
    if (body !== undefined) this.#all.release(this, body);
  }

  /** Releases the body when the response is over, and ends what waits for room. */
  close(): void {
    this.release();
    this.#closed = true;
    this.#wake();
  }

  end(): void {
    this.close();
    this.#end();
  }

  /**
   * Produces something and holds its bytes, when there is room for them. What turns out to have none is produced again,
   * because waiting with it would take the memory.
   *
   * @returns `undefined` if there was no room for so long, in milliseconds
   */
  async take<Part extends { bytes: Buffer }>(
    produce: () => Promise<Part>,
    timeoutMs: number,
  ): Promise<Part | undefined> {
    this.release();
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      if (this.#closed) return undefined;
      if (this.#all.hasRoom(this.reader, PART_BYTES)) {
        const part = await produce();
        if (this.hold(part.bytes)) return part;
      }
      if (performance.now() >= deadline) return undefined;
      await this.#all.wait(this.reader, (wake) => {
        this.#wake = wake;
      });
    }
  }
}
