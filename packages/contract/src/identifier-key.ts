// The key of an identifier: two spellings of one document number, receptacle, container or MRN have the same. Decision 0195.
import { INVISIBLE } from './invisible-characters.js';

/** Most identifiers are their own key: ASCII without blanks and small letters. */
const isKey = /^[!-`{-~]*$/;

const ignored = new RegExp(`[\\s${INVISIBLE}\\p{Default_Ignorable_Code_Point}]`, 'gu');

/**
 * Capitals are those before it: of Latin, Greek, Cyrillic and Armenian. The pairs of letters of other blocks still grow with
 * the versions of Unicode.
 */
const FIRST_WITHOUT_CAPITAL = '\u0590';

/** The letters of other blocks whose capitals are among these: capital sharp s, ligatures, and some variants. */
const OTHER_LETTERS = 'ᲀᲁᲂᲃᲄᲅᲆᲇẚẞⱥⱦﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ';

/**
 * The key by which an identifier is compared: in capital letters, in the normalised form NFC, and without blanks of any
 * kind and characters that nobody sees. Hyphens, slashes and dots stay: `12-3` and `1-23` are two numbers. Letters that
 * merely look alike are not the same.
 *
 * The capital of a letter is that of its small letter, by the full mappings of Unicode: `ẞ`, `ß` and `SS` are the same,
 * because one program writes the capital of `ß` as `SS`, and another one as `ẞ`. So a text has the same key as its capitals
 * and its small letters, whoever has made them.
 *
 * The database function `identifier_key` gives the same for every text, on every version of PostgreSQL.
 *
 * @example
 * identifierKey('hc 001'); // 'HC001'
 * identifierKey('AB-1/2'); // 'AB-1/2'
 */
export function identifierKey(text: string): string {
  if (isKey.test(text)) return text;
  // A letter and its accent are separate while it is made a capital: some have no capital together.
  return text
    .replace(ignored, '')
    .normalize('NFD')
    .replace(/[^\u0000-`{-\u007f]/gu, capitalOf)
    .normalize('NFC');
}

function capitalOf(character: string): string {
  if (character >= FIRST_WITHOUT_CAPITAL && !OTHER_LETTERS.includes(character)) return character;
  const capital = character.toLowerCase().toUpperCase();
  return [...capital].every((letter) => letter < FIRST_WITHOUT_CAPITAL) ? capital : character;
}
