// The body of a request: a text, a file, or pieces as they come.
import type { RequestTimer } from './request-timer.js';

/** A body in a form that `fetch` sends. */
export type RequestBody =
  | string
  | Uint8Array<ArrayBuffer>
  | URLSearchParams
  | Blob
  | ReadableStream<Uint8Array<ArrayBuffer>>;

/** A text of any length. A text, bytes and a `Blob` can be sent again after a failure; a stream cannot. */
export type TextSource =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/**
 * Lines of any number: objects, each of which is sent as a line, or a text that has the lines. An array, like a text,
 * can be sent again after a failure; a stream or a generator cannot.
 */
export type LineSource<Line> = TextSource | Iterable<Line> | AsyncIterable<Line>;

/** A source, opened for one call, which may send it several times. */
export class Upload {
  readonly #whole: string | Uint8Array<ArrayBuffer> | Blob | undefined;
  readonly #pieces: Pieces | undefined;
  /** Whether the service finds what is sent again. */
  readonly isRepeatable: boolean;
  #started = false;

  /** @param lineId the member that identifies a line: an object in an array gets it if it has none */
  constructor(source: LineSource<object>, lineId?: string) {
    this.isRepeatable = lineId === undefined || Array.isArray(source);
    if (Array.isArray(source)) this.#whole = withIds(source, lineId).map(toLine).join('');
    else if (typeof source === 'string' || source instanceof Blob) this.#whole = source;
    else if (source instanceof Uint8Array) this.#whole = new Uint8Array(source);
    else this.#pieces = iterate(source);
  }

  /** Whether the next attempt can send all of it. */
  get canResend(): boolean {
    return this.#whole !== undefined || !this.#started;
  }

  /** How long the body is, if it is known before it is sent. */
  get size(): number {
    const whole = this.#whole;
    if (typeof whole === 'string') return whole.length;
    return whole instanceof Blob ? whole.size : (whole?.byteLength ?? 0);
  }

  /** The body for an attempt. If the source fails, the request fails with the same error. */
  open(timer: RequestTimer): RequestBody | undefined {
    const pieces = this.#pieces;
    if (pieces === undefined) return this.#whole;
    const end = async () => {
      await pieces.return?.();
    };
    // A response may be complete, or the request aborted, while there are more pieces. How the source ends then does
    // not matter any more.
    timer.onStop(() => void end().catch(() => undefined));
    return new ReadableStream(
      {
        pull: async (controller) => {
          this.#started = true;
          const { done, value } = await next(pieces, timer);
          if (done) controller.close();
          else controller.enqueue(toBytes(value));
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }
}

/** The next piece. A source that fails ends the request, which throws the same error. */
async function next(pieces: Pieces, timer: RequestTimer): Promise<IteratorResult<Piece, void>> {
  timer.hold();
  try {
    return await pieces.next();
  } catch (error) {
    timer.abort(error);
    throw error;
  } finally {
    timer.release();
  }
}

type Piece = string | Uint8Array | object;
type Pieces = AsyncIterator<Piece, void> | Iterator<Piece, void>;

function iterate(source: ReadableStream<Piece> | AsyncIterable<Piece> | Iterable<Piece>): Pieces {
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  if (Symbol.iterator in source) return source[Symbol.iterator]();
  return readStream(source);
}

/** For browsers whose streams are not async iterables. */
async function* readStream(stream: ReadableStream<Piece>): AsyncGenerator<Piece, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Each line with an id: its own, or a new one. */
function withIds(lines: Record<string, unknown>[], member: string | undefined): object[] {
  if (member === undefined) return lines;
  return lines.map((line) => ({ ...line, [member]: line[member] ?? crypto.randomUUID() }));
}

const encoder = new TextEncoder();

function toBytes(piece: Piece): Uint8Array<ArrayBuffer> {
  // A copy, because `fetch` takes over the memory of what it sends.
  if (piece instanceof Uint8Array) return new Uint8Array(piece);
  return encoder.encode(typeof piece === 'string' ? piece : toLine(piece));
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
