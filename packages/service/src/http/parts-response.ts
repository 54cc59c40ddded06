// A response in parts. Each part is sent in pieces, and the next one is produced when all of them were written.
import { Readable } from 'node:stream';

/** How much is written at once, in bytes. */
const PIECE_BYTES = 64 * 1024;

const NOTHING: Buffer = Buffer.alloc(0);

/** The parts as they are produced. What is sent from has no buffer: one piece waits for the client, and no more. */
export class PartsResponse extends Readable {
  readonly #parts: AsyncGenerator<Buffer>;
  #rest = NOTHING;

  constructor(parts: AsyncGenerator<Buffer>) {
    // With a buffer, the next part would be produced while this one is not written.
    super({ highWaterMark: 0 });
    this.#parts = parts;
  }

  override _read(): void {
    this.#pushNext().catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#rest = NOTHING;
    this.#parts.return(undefined).then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }

  async #pushNext(): Promise<void> {
    while (this.#rest.length === 0) {
      const next = await this.#parts.next();
      if (next.done) {
        this.push(null);
        return;
      }
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, PIECE_BYTES);
    this.#rest = this.#rest.subarray(piece.length);
    this.push(piece);
  }
}
