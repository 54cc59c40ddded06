// Takes a JSON array apart into its elements as it is read, or one object after another, each as text in one line.
import {
  GOODS_ITEM_MESSAGE_LIMIT,
  goodsItemTextErrors,
  type ValidationError,
} from '@landfall/contract';
import type { MessageText } from './message-text.js';

const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Elements come without the spaces between their tokens, and are otherwise as they were written. Whether one is JSON is
 * seen when it is read.
 */
export class ArraySplitter {
  /** How deep the elements are: 1 in an array, 0 one after another. */
  readonly #base: 0 | 1;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #depth = 0;
  #state: 'begin' | 'first' | 'within' | 'ended' | 'failed' = 'begin';
  #inText = false;
  #escaped = false;
  /** What has been taken of the element that is being read. */
  #element = '';
  #line = 1;
  /** The line that the element begins in. */
  #begins = 1;
  #found: MessageText[] = [];

  constructor(base: 0 | 1) {
    this.#base = base;
  }

  push(chunk: Buffer): MessageText[] {
    return this.#read(() => this.#decoder.decode(chunk, { stream: true }));
  }

  end(): MessageText[] {
    const found = this.#read(() => this.#decoder.decode());
    if (this.#state === 'failed') return found;
    const open = this.#base === 1 ? this.#state !== 'ended' : this.#element !== '';
    return open ? [...found, this.#fail('ends before it is whole')] : found;
  }

  #read(decode: () => string): MessageText[] {
    this.#found = [];
    if (this.#state === 'failed') return [];
    let text: string;
    try {
      text = decode();
    } catch {
      return [this.#fail(goodsItemTextErrors.notUtf8.error)];
    }
    this.#split(text);
    return this.#found;
  }

  /** After this nothing more is found: what follows cannot be told apart. */
  #fail(error: string): MessageText {
    this.#state = 'failed';
    return { line: this.#line, found: { error: { field: '', error, code: 'FORMAT' } } };
  }

  #split(text: string): void {
    /** Where that begins which is to be taken next; -1 between tokens. */
    let from = this.#inText ? 0 : -1;
    const take = (end: number) => {
      if (from >= 0 && this.#element.length <= GOODS_ITEM_MESSAGE_LIMIT) {
        this.#element += text.slice(from, end);
      }
      from = -1;
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) this.#inText = false;
        continue;
      }
      if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) {
        take(at);
        if (code === NEWLINE) this.#line++;
        continue;
      }
      if (this.#state === 'ended') {
        this.#found.push(this.#fail('must end with the array'));
        return;
      }
      if (code === OPEN_LIST || code === OPEN_OBJECT) {
        this.#depth++;
        if (this.#state === 'begin' && this.#base === 1) {
          this.#state = 'first';
          continue;
        }
      }
      if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#depth--;
      if (this.#depth < 0) {
        this.#found.push(this.#fail(goodsItemTextErrors.notJson.error));
        return;
      }
      if (this.#base === 1 && this.#endsElement(code)) {
        take(at);
        // An array without elements has none; anywhere else nothing between two commas is not JSON.
        if (code === COMMA || this.#element !== '' || this.#state !== 'first') this.#give();
        this.#state = this.#depth === 0 ? 'ended' : 'within';
        continue;
      }
      if (from < 0) from = at;
      if (this.#element === '' && from === at) this.#begins = this.#line;
      if (code === QUOTE) this.#inText = true;
      if (this.#base === 0 && this.#depth === 0) {
        take(at + 1);
        this.#give();
      }
    }
    take(text.length);
  }

  #endsElement(code: number): boolean {
    return (code === COMMA && this.#depth === 1) || this.#depth === 0;
  }

  #give(): void {
    const error: ValidationError = goodsItemTextErrors.tooLong;
    const found = this.#element.length > GOODS_ITEM_MESSAGE_LIMIT ? { error } : this.#element;
    this.#found.push({ line: this.#begins, found });
    this.#element = '';
    this.#begins = this.#line;
  }
}
