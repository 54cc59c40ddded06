// Splits chunks into lines. Only the incomplete last line is kept between two chunks.
import type { ValidationError } from '../errors.js';
import type { FoundText, TextSplitter } from './text-splitter.js';

const NEWLINE = 0x0a;
const BLANK_PATTERN = /^[ \t\r]*$/;

const notUtf8: ValidationError = { field: '', error: 'must be valid UTF-8', code: 'FORMAT' };

/** Pieces of a line that are kept apart; more are joined. */
const MAX_PIECES = 1024;

/** Finds the lines that are not blank, or too long, without the carriage return at their end. */
export class LineSplitter implements TextSplitter {
  readonly #maxLineBytes: number;
  readonly #tooLong: ValidationError;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #begun: Uint8Array[] = [];
  #begunBytes = 0;
  #line = 1;

  /**
   * @param maxLineBytes maximum size of a line
   * @param tooLong the error that is found instead of a larger line
   */
  constructor(maxLineBytes: number, tooLong: ValidationError) {
    this.#maxLineBytes = maxLineBytes;
    this.#tooLong = tooLong;
  }

  get pendingBytes(): number {
    return this.#begunBytes;
  }

  push(chunk: Uint8Array): FoundText[] {
    const end = chunk.lastIndexOf(NEWLINE);
    let found: FoundText[] = [];
    if (end >= 0) {
      this.#keep(chunk.subarray(0, end));
      found = this.#take();
    }
    if (this.#begunBytes <= this.#maxLineBytes) this.#keep(chunk.subarray(end + 1));
    return found;
  }

  end(): FoundText[] {
    return this.#take();
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#begun.push(bytes);
    this.#begunBytes += bytes.length;
    // Each piece takes hundreds of bytes, however few it has.
    if (this.#begun.length > MAX_PIECES) this.#begun = [concat(this.#begun, this.#begunBytes)];
  }

  /** The lines of the bytes that were kept. */
  #take(): FoundText[] {
    const bytes = concat(this.#begun, this.#begunBytes);
    this.#begun = [];
    this.#begunBytes = 0;
    const text = this.#decode(bytes);
    return text === undefined ? this.#takeOneByOne(bytes) : this.#split(text);
  }

  #split(text: string): FoundText[] {
    const found: FoundText[] = [];
    for (const line of text.split('\n')) {
      const number = this.#line++;
      // What follows the blank beginning of a line that is too long was not kept.
      const isTooLong = isLonger(line, this.#maxLineBytes);
      if (!isTooLong && BLANK_PATTERN.test(line)) continue;
      found.push({
        line: number,
        found: isTooLong
          ? { error: this.#tooLong }
          : line.endsWith('\r')
            ? line.slice(0, -1)
            : line,
      });
    }
    return found;
  }

  /** Decodes line by line, because not all are UTF-8. A line that is too long may end within a character. */
  #takeOneByOne(bytes: Uint8Array): FoundText[] {
    const found: FoundText[] = [];
    for (let start = 0; start <= bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? bytes.length : newline;
      const line = bytes.subarray(start, end);
      const text = this.#decode(line);
      if (text !== undefined) found.push(...this.#split(text));
      else {
        const error = line.length > this.#maxLineBytes ? this.#tooLong : notUtf8;
        found.push({ line: this.#line++, found: { error } });
      }
      start = end + 1;
    }
    return found;
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }
}

/** Whether a text has more bytes in UTF-8. Bytes are counted only if the number of UTF-16 units, of at most three bytes each, is not sufficient to decide. */
export function isLonger(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
