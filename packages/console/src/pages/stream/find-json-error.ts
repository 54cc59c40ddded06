// Where a text stops being JSON (RFC 8259). Browsers say it in different words, and not for every text.

const WHITE_SPACE = /[ \t\r\n]*/y;
/** Without its closing quote. */
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const LITERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** What may follow: `first...` also the end of an object or array that is empty, `end` nothing. */
type Expected = 'value' | 'firstValue' | 'name' | 'firstName' | 'colon' | 'comma' | 'end';

/**
 * Finds the first character that cannot be there, in time linear in the length of the text and at any depth.
 *
 * @param options `sequence`: values may follow each other
 * @returns its index, which is the length of the text if something is missing at its end; `undefined` if it is JSON
 * @example
 * findJsonError('{"a": 01}'); // 7
 */
export function findJsonError(
  text: string,
  { sequence = false }: { sequence?: boolean } = {},
): number | undefined {
  /** The character that ends each open object or array. */
  const ends: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = endOf(WHITE_SPACE, text, at);
    const character = text[at];
    if (expected === 'end') {
      if (character === undefined) return undefined;
      if (!sequence) return at;
      expected = 'value';
    }
    const mayEnd = expected === 'comma' || expected.startsWith('first');
    if (mayEnd && character !== undefined && character === ends.at(-1)) {
      ends.pop();
      at += 1;
      expected = ends.length === 0 ? 'end' : 'comma';
    } else if (expected === 'comma' || expected === 'colon') {
      if (character !== (expected === 'comma' ? ',' : ':')) return at;
      at += 1;
      expected = expected === 'comma' && ends.at(-1) === '}' ? 'name' : 'value';
    } else if (expected === 'name' || expected === 'firstName') {
      if (character !== '"') return at;
      at = endOf(STRING, text, at);
      if (text[at] !== '"') return at;
      at += 1;
      expected = 'colon';
    } else if (character === '{' || character === '[') {
      ends.push(character === '{' ? '}' : ']');
      at += 1;
      expected = character === '{' ? 'firstName' : 'firstValue';
    } else {
      const end = endOf(character === '"' ? STRING : LITERAL, text, at);
      if (end === at || (character === '"' && text[end] !== '"')) return end;
      at = character === '"' ? end + 1 : end;
      expected = ends.length === 0 ? 'end' : 'comma';
    }
  }
}

/** The end of what a sticky pattern matches at an index; the index if it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
