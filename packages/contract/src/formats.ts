// What the formats of the contract accept. A format that JSON Schema knows too is narrowed to what can be stored.
import Format, { IsDate, IsDateTime } from 'typebox/format';
import { isContainerId } from './identifiers.js';

/** The longest date-time, in characters: nine digits of a second and an offset fit. */
const MAX_DATE_TIME = 40;

/** A character that no database text can hold: U+0000, or half of a pair of surrogates, which is no character. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Whether a text can be stored as it is. */
function isStorableText(text: string): boolean {
  return !unstorable.test(text);
}

/** Whether a text is a date of the years 0001 to 9999 that exists. */
function isRealDate(text: string): boolean {
  return IsDate(text) && !text.startsWith('0000');
}

/** Whether a text is a date-time that exists, in UTC in the years 0001 to 9999. A leap second is none that can be read. */
function isRealDateTime(text: string): boolean {
  if (text.length > MAX_DATE_TIME || !IsDateTime(text)) return false;
  const time = Date.parse(text);
  return time >= FIRST_TIME && time < AFTER_LAST_TIME;
}

const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const AFTER_LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z') + 1;

/** What the formats of the contract ask for, in words. */
export const formatRules: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  date: 'must be a date that exists (YYYY-MM-DD)',
  'date-time': 'must be a date-time (ISO 8601)',
  iso6346: 'must be a container identifier whose check digit is right (ISO 6346)',
  text: 'must be Unicode text without U+0000',
};

/** Makes the formats known to the validator; done once, before the first schema is compiled. */
export function setFormats(): void {
  Format.Set('iso6346', isContainerId);
  Format.Set('text', isStorableText);
  Format.Set('date', isRealDate);
  Format.Set('date-time', isRealDateTime);
}
