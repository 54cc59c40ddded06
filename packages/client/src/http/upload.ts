// The body of a request: a text, a file, or pieces as they come.
import { iterate, requireObject } from './iterate.js';
import type { RequestTimer } from './request-timer.js';

/** A body in a form that `fetch` sends. */
export type RequestBody =
  | string
  | Uint8Array<ArrayBuffer>
  | URLSearchParams
  | FormData
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
    if (Array.isArray(source)) this.#whole = withIds(source, lineId).map(lineWriter()).join('');
    else if (typeof source === 'string' || source instanceof Blob) this.#whole = source;
    else if (source instanceof Uint8Array) this.#whole = new Uint8Array(source);
    else this.#pieces = open(source);
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
    const toLine = lineWriter();
    const end = async () => {
      // A source that was ended gives nothing more: what an attempt would send then is not the whole.
      this.#started = true;
      await pieces.return?.();
    };
    // A response may be complete, or the request aborted, while there are more pieces. How the source ends then does
    // not matter any more.
    timer.onStop(() => void end().catch(() => undefined));
    return new ReadableStream(
      {
        pull: async (controller) => {
          this.#started = true;
          const bytes = await next(pieces, timer, toLine);
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }
}

/** The next piece. A source that fails, or has what cannot be sent, ends the request, which throws the same error. */
async function next(
  pieces: Pieces,
  timer: RequestTimer,
  toLine: (line: unknown) => string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  timer.hold();
  try {
    const { done, value } = await pieces.next();
    return done ? undefined : toBytes(value, toLine);
  } catch (error) {
    timer.abort(error);
    throw error;
  } finally {
    // Lines that are sent are progress, also while the response arrives.
    timer.release(true);
  }
}

type Piece = string | Uint8Array | object;
type Pieces = AsyncIterator<Piece, void> | Iterator<Piece, void>;

function open(source: ReadableStream<Piece> | AsyncIterable<Piece> | Iterable<Piece>): Pieces {
  requireObject(source, 'lines');
  const isIterable = Symbol.asyncIterator in source || Symbol.iterator in source;
  return isIterable ? iterate<Piece>(source, 'lines') : readStream(source);
}

/** For browsers whose streams are not async iterables. */
export async function* readStream(
  stream: ReadableStream<Piece>,
): AsyncGenerator<Piece, void, undefined> {
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
  // What is no object is reported when it is written.
  return lines.map((line) =>
    typeof line === 'object' && line !== null
      ? { ...line, [member]: line[member] ?? crypto.randomUUID() }
      : line,
  );
}

const encoder = new TextEncoder();

function toBytes(piece: Piece, toLine: (line: unknown) => string): Uint8Array<ArrayBuffer> {
  // A copy, because `fetch` takes over the memory of what it sends.
  if (piece instanceof Uint8Array) return new Uint8Array(piece);
  return encoder.encode(typeof piece === 'string' ? piece : toLine(piece));
}

/** Makes the function that writes one line after the other. It throws a TypeError that names the line, counted from 1. */
export function lineWriter(): (line: unknown) => string {
  let number = 0;
  return (line) => {
    number++;
    try {
      const text = JSON.stringify(line);
      if (text !== undefined) return `${text}\n`;
    } catch (cause) {
      const [reason] = cause instanceof Error ? cause.message.split('\n', 1) : [String(cause)];
      throw new TypeError(`line ${number} cannot be written as JSON: ${reason}`, { cause });
    }
    throw new TypeError(`line ${number} cannot be written as JSON: it is ${typeof line}`);
  };
}
