// Why a text is no JSON, with the two mistakes that cannot be seen in an editor or in one line.
import type { ValidationError } from '../errors.js';

/** The rule that a text breaks which is no JSON. In its error a hint may follow. */
export const JSON_RULE = 'must be valid JSON';

/** What follows the rule where the cause is known. */
const hints = {
  byteOrderMark: ': it begins with a byte order mark, which must be left out',
  severalLines: ': each line is a whole value, and this one only begins one',
} as const;

/** The error of a text that is no JSON. */
export function notJson(text: string): ValidationError {
  return { field: '', error: JSON_RULE + hintOf(text), code: 'FORMAT' };
}

function hintOf(text: string): string {
  if (text.startsWith('\ufeff')) return hints.byteOrderMark;
  const shown = text.trim();
  return shown === '[' || shown === '{' ? hints.severalLines : '';
}
