// Collects the beginning of a body while it is received or sent.
import { isUtf8 } from 'node:buffer';
import { blankSecrets } from './blank-secrets.js';
import type { RecordedBody } from './exchange.js';

/** How much of a body is recorded, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

/** A body, of which the beginning is kept. */
export class CollectedBody {
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #truncated = false;

  add(chunk: unknown, encoding?: unknown): void {
    const bytes = toBytes(chunk, encoding);
    if (bytes === undefined) return;
    const left = MAX_BODY_BYTES - this.#kept;
    if (bytes.length > left) this.#truncated = true;
    if (left <= 0) return;
    // A copy, because the sender may use its buffer again.
    const kept = Buffer.from(bytes.subarray(0, left));
    this.#chunks.push(kept);
    this.#kept += kept.length;
  }

  /** What was collected; `undefined` if there was nothing. */
  read(): RecordedBody | undefined {
    if (this.#kept === 0) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    const truncated = this.#truncated ? { truncated: true as const } : {};
    // The end of a truncated text may be within a character.
    const isText = this.#truncated || isUtf8(bytes);
    if (isText) return { text: blankSecrets(bytes.toString('utf8')), ...truncated };
    return { text: bytes.toString('base64'), base64: true, ...truncated };
  }
}

function toBytes(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, Buffer.isEncoding(String(encoding)) ? (encoding as 'utf8') : 'utf8');
  }
  return chunk instanceof Uint8Array ? chunk : undefined;
}
