// The formats of the contract. Those that JSON Schema defines too are restricted to values that can be stored.
import Format, { IsDate, IsDateTime } from 'typebox/format';
import { isContainerId } from './identifiers.js';
import {
  hasInvisible,
  hasInvisibleInIdentifier,
  hasInvisibleInLines,
  INVISIBLE_ERROR,
  INVISIBLE_IN_LINES_ERROR,
} from './invisible-characters.js';

/** Maximum length of a date-time, in characters: enough for nine digits of a second and an offset. */
const MAX_DATE_TIME = 40;

/** Whether a text is an existing date in the years 0001 to 9999. */
export function isRealDate(text: string): boolean {
  return IsDate(text) && !text.startsWith('0000');
}

/** An offset of which PostgreSQL says that it is out of range: no zone is so far from UTC. */
const IMPOSSIBLE_OFFSET = /[+-](1[6-9]|2\d):/;

/**
 * Whether a text is an existing date-time that is in the years 0001 to 9999 in UTC, with an offset below 16 hours. Leap seconds
 * are refused.
 */
export function isRealDateTime(text: string): boolean {
  if (text.length > MAX_DATE_TIME || !IsDateTime(text)) return false;
  if (IMPOSSIBLE_OFFSET.test(text)) return false;
  const time = Date.parse(text);
  return time >= FIRST_TIME && time < AFTER_LAST_TIME;
}

const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const AFTER_LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z') + 1;

/** The formats of the contract. One without `accepts` is checked as JSON Schema defines it. */
const formats: Record<string, { error: string; accepts?: (text: string) => boolean }> = {
  uuid: { error: 'must be a UUID' },
  date: { error: 'must be a date that exists (YYYY-MM-DD)', accepts: isRealDate },
  'date-time': { error: 'must be a date-time (ISO 8601)', accepts: isRealDateTime },
  iso6346: {
    error: 'must be a container identifier whose check digit is right (ISO 6346)',
    accepts: isContainerId,
  },
  text: { error: INVISIBLE_ERROR, accepts: (text) => !hasInvisible(text) },
  identifier: { error: INVISIBLE_ERROR, accepts: (text) => !hasInvisibleInIdentifier(text) },
  lines: { error: INVISIBLE_IN_LINES_ERROR, accepts: (text) => !hasInvisibleInLines(text) },
};

/** The error for a text that is not of a format. */
export function formatError(name: string): string | undefined {
  return formats[name]?.error;
}

/** Registers the formats with the validator; done once, before the first schema is compiled. */
export function setFormats(): void {
  for (const [name, { accepts }] of Object.entries(formats)) {
    if (accepts !== undefined) Format.Set(name, accepts);
  }
}
