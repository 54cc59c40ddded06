// Gives a source of lines out in pieces that end at the end of a line, and notices when it is silent.
import { ConfigurationError } from '../errors/landfall-error.js';
import { iterate, requireObject } from '../http/iterate.js';
import { type LineSource, lineWriter, readStream } from '../http/upload.js';

/** A longer line is no line: the source has the wrong form. In bytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LINE_BREAK = 0x0a;

type Piece = string | Uint8Array | object;
type Pieces = AsyncIterator<Piece, void> | Iterator<Piece, void>;
type Next = IteratorResult<Piece, void>;

/** The lines of a source, in pieces of whole lines. */
export class WholeLines {
  readonly #pieces: Pieces;
  readonly #toLine = lineWriter();
  /** Asked of the source, and not taken yet: a source is not asked twice. */
  #asked: Promise<Next> | undefined;
  /** The beginning of a line whose end has not come. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #isEnded = false;

  constructor(source: LineSource<object>) {
    this.#pieces = open(source);
  }

  /**
   * The next whole lines; `undefined` at the end of the source, `'silent'` when nothing has come for so long.
   *
   * @param idleMs in milliseconds; default: waits for as long as it takes
   * @throws what the source throws; ConfigurationError for a line of more than 16 MiB
   */
  async next(idleMs?: number): Promise<Uint8Array<ArrayBuffer> | 'silent' | undefined> {
    while (!this.#isEnded) {
      this.#asked ??= this.#ask();
      const result = await within(this.#asked, idleMs);
      if (result === 'silent') return result;
      this.#asked = undefined;
      if (result.done) {
        this.#isEnded = true;
        break;
      }
      const bytes = this.#toBytes(result.value);
      const end = bytes.lastIndexOf(LINE_BREAK) + 1;
      if (end > 0) return this.#take(bytes.subarray(0, end), bytes.subarray(end));
      this.#keep(bytes);
    }
    return this.#restBytes === 0 ? undefined : this.#take(new Uint8Array(), new Uint8Array());
  }

  /** Ends the source, which may still be waited for. */
  close(): void {
    const ended = (async () => this.#pieces.return?.())();
    // It may fail when nobody waits for it any more.
    ended.catch(() => undefined);
  }

  #ask(): Promise<Next> {
    const asked = (async () => this.#pieces.next())();
    // It may fail while the results of a request are read, and is thrown when it is waited for.
    asked.catch(() => undefined);
    return asked;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // A copy: it would keep the whole piece that it is part of, and the source may fill that again.
    this.#rest.push(bytes.slice());
    this.#restBytes += bytes.length;
    if (this.#restBytes > MAX_LINE_BYTES) {
      throw new ConfigurationError(
        `a line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB: the source must have one JSON object on each line`,
      );
    }
  }

  #take(end: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
    const parts = [...this.#rest, end];
    const whole = new Uint8Array(this.#restBytes + end.length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#rest = [];
    this.#restBytes = 0;
    this.#keep(rest);
    return whole;
  }

  #toBytes(piece: Piece): Uint8Array {
    if (piece instanceof Uint8Array) return piece;
    return new TextEncoder().encode(typeof piece === 'string' ? piece : this.#toLine(piece));
  }
}

function open(source: LineSource<object>): Pieces {
  if (typeof source === 'string' || source instanceof Uint8Array) return [source].values();
  if (source instanceof Blob) return readStream(source.stream());
  requireObject(source, 'lines');
  const isIterable = Symbol.asyncIterator in source || Symbol.iterator in source;
  return isIterable ? iterate<Piece>(source, 'lines') : readStream(source);
}

/** The result, or `'silent'` if it takes longer. */
async function within(result: Promise<Next>, ms: number | undefined): Promise<Next | 'silent'> {
  if (ms === undefined) return result;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<'silent'>((resolve) => {
    timer = setTimeout(resolve, ms, 'silent');
  });
  try {
    return await Promise.race([result, silent]);
  } finally {
    clearTimeout(timer);
  }
}
