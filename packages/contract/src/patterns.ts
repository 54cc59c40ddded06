// Patterns of texts, each with the error that is reported for a text that does not match it.
import { Type } from 'typebox';
import { INVISIBLE, INVISIBLE_ERROR, INVISIBLE_IN_IDENTIFIERS } from './invisible-characters.js';

const errors = new Map<string, string>();

/** Defines a pattern with its error, which `describeError` finds by the pattern: equal patterns have equal errors. */
export function definePattern(pattern: string, error: string): string {
  const defined = errors.get(pattern) ?? error;
  if (defined !== error) throw new Error(`${pattern} has two errors: ${defined}, ${error}`);
  errors.set(pattern, error);
  return pattern;
}

/** The error for a text that does not match a pattern. */
export function patternError(pattern: string): string {
  return errors.get(pattern) ?? `must match ${pattern}`;
}

/** A text of one line that is not blank. */
const ONE_LINE_PATTERN = definePattern(`^(?=.*\\S)[^${INVISIBLE}]*$`, INVISIBLE_ERROR);

const IDENTIFIER_PATTERN = definePattern(
  `^(?=.*\\S)[^${INVISIBLE_IN_IDENTIFIERS}]*$`,
  INVISIBLE_ERROR,
);

const makeText =
  (pattern: string) => (maxLength: number, description?: string, examples?: string[]) =>
    Type.String({
      minLength: 1,
      maxLength,
      pattern,
      ...(description !== undefined && { description }),
      ...(examples && { examples }),
    });

/** A text of one line that is not blank. */
export const OneLine = makeText(ONE_LINE_PATTERN);

/** An identifier or a document number: two that look alike are the same, as far as unseen characters are concerned. */
export const Identifier = makeText(IDENTIFIER_PATTERN);

/** A country (ISO 3166-1 alpha-2). */
export const COUNTRY_PATTERN = definePattern(
  '^[A-Z]{2}$',
  'must be two capital letters (ISO 3166-1)',
);
