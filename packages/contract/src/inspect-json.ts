// Finds what JSON.parse discards: members that an object has more than once, and white space.

import type { ValidationError } from './errors.js';

/** The findings in a JSON text. */
export type JsonInspection = {
  /** Paths of members that their object has more than once, each path once, in their order. */
  duplicates: string[];
  /** Number of white space characters between tokens. */
  whiteSpace: number;
};

/** Maximum number of duplicates that are found in one text. */
const MAX_DUPLICATES = 100;

/** Maximum length of a reported path, in characters: the sender chooses the names. */
const MAX_PATH = 200;

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

/** Levels of objects and arrays that a text may have: a few times more than anything that is exchanged. */
export const MAX_JSON_DEPTH = 64;

/** An object or array that contains the current character. It is used again for the next one at its depth. */
type Level = {
  isObject: boolean;
  /** The first name. Most objects with one member need no set. */
  first: string | undefined;
  /** The names so far, if there are more. */
  names: Set<string> | undefined;
  /** The member or index that is being read. */
  at: string | number;
};

/**
 * Whether a text has more than MAX_JSON_DEPTH levels. A parser takes a hundred times longer for brackets than for text, so
 * this is checked before anything is parsed.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
  }
  return false;
}

/** The error for a text that is too deep. */
export const tooDeep: ValidationError = {
  field: '',
  error: `must not have more than ${MAX_JSON_DEPTH} levels of objects and arrays`,
  code: 'SIZE',
};

/**
 * Reads a text once, from left to right, without recursion, in time linear in its length at any depth.
 *
 * Names are compared after unescaping: `"\u0061"` is `"a"`. Parsers differ in which of two equal members they use
 * (RFC 8259, section 4), so one system may check a value and another one read a different value.
 *
 * @param text valid JSON
 * @example
 * inspectJson('{"a":{"b":1,"b":2}}').duplicates; // ['a.b']
 */
export function inspectJson(text: string): JsonInspection {
  const levels: Level[] = [];
  const duplicates = new Set<string>();
  let depth = 0;
  let level: Level | undefined;
  let whiteSpace = 0;
  let nameIsNext = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (nameIsNext && level !== undefined) {
        const name = readName(text, at, end);
        level.at = name;
        if (!addName(level, name) && duplicates.size < MAX_DUPLICATES) {
          duplicates.add(pathOf(levels.slice(0, depth)));
        }
        nameIsNext = false;
      }
      at = end;
    } else if (code === COMMA) {
      nameIsNext = level?.isObject === true;
      if (typeof level?.at === 'number') level.at++;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      level = levels[depth] ??= { isObject: false, first: undefined, names: undefined, at: 0 };
      depth++;
      level.isObject = code === OPEN_OBJECT;
      level.first = undefined;
      level.names = undefined;
      level.at = level.isObject ? '' : 0;
      nameIsNext = level.isObject;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth--;
      level = levels[depth - 1];
      nameIsNext = false;
    } else if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) {
      whiteSpace++;
    }
  }
  return { duplicates: [...duplicates], whiteSpace };
}

/** Adds a name to an object; returns whether it is new there. */
function addName(level: Level, name: string): boolean {
  if (level.first === undefined) {
    level.first = name;
    return true;
  }
  level.names ??= new Set([level.first]);
  if (level.names.has(name)) return false;
  level.names.add(name);
  return true;
}

/** The error for a member that its object has more than once. */
export function duplicateMember(field: string): ValidationError {
  return { field, error: 'must not be there more than once', code: 'FORMAT' };
}

/** The index of the closing quote of a string that begins at `quote`: it follows an even number of backslashes. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

function readName(text: string, quote: number, end: number): string {
  const written = text.slice(quote + 1, end);
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
}

/** The path of the current member, shortened if it is too long. */
function pathOf(levels: readonly Level[]): string {
  let path = '';
  for (const [depth, { at }] of levels.entries()) {
    path += depth === 0 ? at : `.${at}`;
    if (path.length > MAX_PATH) return `${path.slice(0, MAX_PATH)}...`;
  }
  return path;
}
