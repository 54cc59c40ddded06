// How many columns of a terminal a text takes.
import { eastAsianWidth } from 'get-east-asian-width';

const graphemes = new Intl.Segmenter();

/** The width of a text without control characters: wide characters and emoji take two columns. */
export function displayWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a width; the last character of a cut text is `…`. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    cut += segment;
  }
  // A text that is isolated (U+2068) stays so until its end (U+2069).
  const isOpen = cut.lastIndexOf('\u2068') > cut.lastIndexOf('\u2069');
  return `${cut}…${isOpen ? '\u2069' : ''}`;
}

function graphemeWidth(grapheme: string): number {
  // Marks without a character, and characters that only format, take no column.
  if (/^[\p{Mark}\p{Format}]/u.test(grapheme)) return 0;
  if (/^\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
