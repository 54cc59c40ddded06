// Characters that nobody sees: with them, two texts look alike that differ, or a text reads differently than it is.

/** Except U+0000 to U+001F. Joiners (U+200C, U+200D) are not among them, because names in several languages have them. */
const AFTER_BLANK =
  '\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\ufeff\\ufff9-\\ufffc';

/**
 * The inside of a class of a regular expression: control characters, separators of lines and paragraphs, what turns the
 * direction of writing, what has neither width nor meaning, the blank of Braille, and marks that stand for something else. Lone surrogates are separate, because not every tool can
 * read them in a pattern.
 */
export const INVISIBLE = `\\u0000-\\u001f${AFTER_BLANK}`;

/** The same for texts of several lines: without tabs and line breaks. */
export const INVISIBLE_IN_LINES = `\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${AFTER_BLANK}`;

/**
 * The same for identifiers and document numbers: with every character up to U+FFFF that Unicode says is not shown
 * (Default_Ignorable_Code_Point), such as the soft hyphen, fillers, joiners and variation selectors. Names may have them.
 */
export const INVISIBLE_IN_IDENTIFIERS = `${INVISIBLE}\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200c\\u200d\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufff8`;

/** Lone surrogates, in the inside of a class of a regular expression with the flag `u`. */
export const SURROGATES = '\\ud800-\\udfff';

/** The error for a text with such a character. */
export const INVISIBLE_ERROR = 'must not contain control or invisible characters';

/** The error for a text of several lines with such a character. */
export const INVISIBLE_IN_LINES_ERROR = `${INVISIBLE_ERROR} except line breaks and tabs`;

const invisible = new RegExp(`[${INVISIBLE}${SURROGATES}]`, 'u');
const eachInvisible = new RegExp(`[${INVISIBLE}${SURROGATES}]`, 'gu');

/**
 * Whether a text has a character that nobody sees. Without them, the text can be stored in a database, which U+0000 and
 * lone surrogates cannot.
 */
export function hasInvisible(text: string): boolean {
  return invisible.test(text);
}

// Those above U+FFFF are not in patterns of the contract, because not every tool can read them there.
const invisibleInIdentifiers = new RegExp(
  `[${INVISIBLE_IN_IDENTIFIERS}${SURROGATES}\\p{Default_Ignorable_Code_Point}]`,
  'u',
);

/** The same for an identifier or a document number. */
export function hasInvisibleInIdentifier(text: string): boolean {
  return invisibleInIdentifiers.test(text);
}

const invisibleInLines = new RegExp(`[${INVISIBLE_IN_LINES}${SURROGATES}]`, 'u');

/** The same for a text of several lines. */
export function hasInvisibleInLines(text: string): boolean {
  return invisibleInLines.test(text);
}

/** A text in which each character that nobody sees is replaced. */
export function replaceInvisible(text: string, replace: (character: string) => string): string {
  return text.replace(eachInvisible, replace);
}
