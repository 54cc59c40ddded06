// Splits JSON into its elements while it is read. Each element keeps its text, without the white space between tokens:
// JSON.stringify would change numbers, such as 1.10 to 1.1 and those of 20 digits.
import type { ValidationError } from '../errors.js';
import { isLonger } from './line-splitter.js';
import type { FoundText, TextSplitter } from './text-splitter.js';

const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NOT_JSON = 'must be valid JSON';
const NOT_UTF8 = 'must be valid UTF-8';

/** Which elements are found: those of an array, a sequence of objects, or the whole text as one. */
export type ElementsOf = 'array' | 'sequence' | 'whole';

/** It does not validate the elements: splitting never turns invalid JSON into valid JSON. */
export class ElementSplitter implements TextSplitter {
  readonly #of: ElementsOf;
  readonly #maxBytes: number;
  readonly #tooLong: ValidationError;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #depth = 0;
  #state: 'begin' | 'first' | 'within' | 'ended' | 'failed' = 'begin';
  #inString = false;
  #escaped = false;
  /** The current element so far. */
  #element = '';
  /** Whether white space was dropped since the last token, and whether that token was a number or a literal. */
  #gap = false;
  #word = false;
  #line = 1;
  /** The line in which the element begins. */
  #begins = 1;
  #found: FoundText[] = [];

  /**
   * @param maxBytes maximum size of an element
   * @param tooLong the error that is found instead of a larger element
   */
  constructor(of: ElementsOf, maxBytes: number, tooLong: ValidationError) {
    this.#of = of;
    this.#maxBytes = maxBytes;
    this.#tooLong = tooLong;
  }

  get pendingBytes(): number {
    return this.#element.length;
  }

  push(chunk: Uint8Array): FoundText[] {
    return this.#read(() => this.#decoder.decode(chunk, { stream: true }));
  }

  end(): FoundText[] {
    const found = this.#read(() => this.#decoder.decode());
    if (this.#state === 'failed') return found;
    if (this.#of === 'whole') {
      if (this.#element !== '') this.#give();
      return this.#found;
    }
    const open = this.#of === 'array' ? this.#state !== 'ended' : this.#element !== '';
    return open ? [...found, this.#fail('ends before it is whole')] : found;
  }

  #read(decode: () => string): FoundText[] {
    this.#found = [];
    if (this.#state === 'failed') return [];
    let text: string;
    try {
      text = decode();
    } catch {
      return [this.#fail(NOT_UTF8)];
    }
    this.#split(text);
    return this.#found;
  }

  /** Nothing more is found after an error, because the rest cannot be split. */
  #fail(error: string): FoundText {
    this.#state = 'failed';
    this.#element = '';
    return { line: this.#line, found: { error: { field: '', error, code: 'FORMAT' } } };
  }

  #split(text: string): void {
    /** The start of the text that is appended next; -1 between tokens. */
    let from = this.#inString ? 0 : -1;
    const take = (end: number) => {
      if (from >= 0 && this.#element.length <= this.#maxBytes) {
        this.#element += text.slice(from, end);
      }
      from = -1;
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) this.#inString = false;
        continue;
      }
      if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) {
        take(at);
        this.#gap = true;
        if (code === NEWLINE) this.#line++;
        continue;
      }
      if (this.#state === 'ended') {
        this.#found.push(this.#fail('must end with the array'));
        return;
      }
      const opens = code === OPEN_LIST || code === OPEN_OBJECT;
      const closes = code === CLOSE_LIST || code === CLOSE_OBJECT;
      if (opens) this.#depth++;
      if (closes) this.#depth--;
      if (opens && this.#state === 'begin' && this.#of === 'array') {
        this.#state = 'first';
        continue;
      }
      if (this.#depth < 0) {
        this.#found.push(this.#fail(NOT_JSON));
        return;
      }
      if (this.#of === 'array' && (this.#depth === 0 || (code === COMMA && this.#depth === 1))) {
        take(at);
        // Only an empty array may have no element here: anywhere else, this is not JSON.
        if (code === COMMA || this.#element !== '' || this.#state !== 'first') this.#give();
        this.#state = this.#depth === 0 ? 'ended' : 'within';
        continue;
      }
      const word = !(opens || closes || code === COMMA || code === COLON || code === QUOTE);
      if (from < 0) {
        // Without this space, text that is not JSON would become JSON: 1 2, or tr ue.
        if (word && this.#word && this.#gap) this.#element += ' ';
        from = at;
        if (this.#element === '') this.#begins = this.#line;
      }
      this.#gap = false;
      this.#word = word;
      if (code === QUOTE) this.#inString = true;
      if (this.#of === 'sequence' && this.#depth === 0) {
        take(at + 1);
        this.#give();
      }
    }
    take(text.length);
  }

  #give(): void {
    const tooLong = isLonger(this.#element, this.#maxBytes);
    const found = tooLong ? { error: this.#tooLong } : this.#element;
    this.#found.push({ line: this.#begins, found });
    this.#element = '';
    this.#word = false;
    this.#begins = this.#line;
  }
}
