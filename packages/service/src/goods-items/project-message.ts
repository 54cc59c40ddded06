// Copies the granted members of a goods-item message, byte for byte: numbers and texts stay as the publisher wrote them. What
// is not granted is not copied, whatever the message has.
import { GOODS_ITEM_KEYS } from '@landfall/contract';

/** The members of an object that are copied: each whole, or the members of it that its own selection names. */
export type Selection = ReadonlyMap<string, Selection | 'whole'>;

type MutableSelection = Map<string, MutableSelection | 'whole'>;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The selection of a message: its metadata, the keys of its item, and these members.
 *
 * @param members paths such as `GoodsItem.DutiesAndTaxes.TaxType`
 */
export function selectMembers(members: readonly string[]): Selection {
  const data: MutableSelection = new Map();
  for (const path of [...GOODS_ITEM_KEYS.map((key) => `GoodsItem.${key}`), ...members]) {
    add(data, path.split('.'));
  }
  return new Map<string, Selection | 'whole'>([
    ['metadata', 'whole'],
    ['data', data],
  ]);
}

function add(selection: MutableSelection, [name = '', ...rest]: string[]): void {
  const selected = selection.get(name);
  if (selected === 'whole') return;
  if (rest.length === 0) {
    selection.set(name, 'whole');
    return;
  }
  const within = selected ?? new Map();
  selection.set(name, within);
  add(within, rest);
}

/**
 * The message with the selected members alone, without white space around them. An object or a list of which nothing is left
 * is left out.
 *
 * @param text a message, which was checked when it was published
 */
export function projectMessage(text: string, selection: Selection): string {
  return new Projection(text).copy(selection) ?? '{}';
}

/** Reads a text once, from left to right. */
class Projection {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Copies the selected members of the value that begins here; `undefined` if none is left. */
  copy(selection: Selection): string | undefined {
    switch (this.#next()) {
      case OPEN_OBJECT:
        return this.#copyMembers(selection);
      case OPEN_LIST:
        return this.#copyItems(selection);
      default:
        // Members were selected, and a string, a number or a literal has none.
        this.#skip();
        return undefined;
    }
  }

  #copyMembers(selection: Selection): string | undefined {
    let copied = '';
    this.#at++;
    while (this.#next() !== CLOSE_OBJECT) {
      const nameAt = this.#at;
      this.#skip();
      const name = this.#text.slice(nameAt, this.#at);
      this.#next();
      this.#at++; // the colon
      const selected = selection.get(nameOf(name));
      let value: string | undefined;
      if (selected === undefined) this.#skipNext();
      else value = selected === 'whole' ? this.#copyWhole() : this.copy(selected);
      if (value !== undefined) copied += `${copied === '' ? '' : ','}${name}:${value}`;
      if (this.#next() === COMMA) this.#at++;
    }
    this.#at++;
    return copied === '' ? undefined : `{${copied}}`;
  }

  #copyItems(selection: Selection): string | undefined {
    const items: string[] = [];
    this.#at++;
    while (this.#next() !== CLOSE_LIST) {
      const item = this.copy(selection);
      if (item !== undefined) items.push(item);
      if (this.#next() === COMMA) this.#at++;
    }
    this.#at++;
    return items.length === 0 ? undefined : `[${items.join(',')}]`;
  }

  #copyWhole(): string {
    this.#next();
    const start = this.#at;
    this.#skip();
    return this.#text.slice(start, this.#at);
  }

  #skipNext(): void {
    this.#next();
    this.#skip();
  }

  /** Moves to the next character that is not white space, and returns its code. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== TAB && code !== NEWLINE && code !== RETURN) return code;
      this.#at++;
    }
  }

  /** Moves behind the value that begins here. */
  #skip(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) this.#at = endOfString(this.#text, this.#at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#skipNested();
    else while (!endsScalar(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #skipNested(): void {
    const text = this.#text;
    let depth = 0;
    let at = this.#at;
    do {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(text, at) - 1;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
      at++;
    } while (depth > 0);
    this.#at = at;
  }
}

/** The name that a token means: `"\u0061"` is `a`. */
function nameOf(token: string): string {
  return token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
}

/** The position behind the string that begins at a quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether the quote at a position is part of the string: an odd number of backslashes is before it. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}

/** Whether a character, or the end of the text, ends a number or a literal. */
function endsScalar(code: number): boolean {
  return (
    Number.isNaN(code) ||
    code === COMMA ||
    code === CLOSE_OBJECT ||
    code === CLOSE_LIST ||
    code === SPACE ||
    code === TAB ||
    code === NEWLINE ||
    code === RETURN
  );
}
