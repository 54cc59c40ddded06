// The forms of texts in movement messages, each with its check and the text of its error.
import { isRealDate, isRealDateTime } from '../../formats.js';
import {
  hasInvisibleInIdentifier,
  hasInvisibleInLines,
  INVISIBLE_ERROR,
  INVISIBLE_IN_LINES_ERROR,
} from '../../invisible-characters.js';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** The forms: what a text of each is, and whether a text is one. */
export const textForms = {
  line: {
    title: 'numbers, documents and codes',
    error: INVISIBLE_ERROR,
    accepts: (text) => !hasInvisibleInIdentifier(text),
  },
  lines: {
    title: 'other texts',
    error: INVISIBLE_IN_LINES_ERROR,
    accepts: (text) => !hasInvisibleInLines(text),
  },
  instant: {
    title: 'instants',
    error: 'invalid ISO-8601 instant in UTC (yyyy-MM-ddTHH:mm:ssZ)',
    accepts: (text) => instant.test(text) && isRealDateTime(text),
  },
  date: {
    title: 'days',
    error: 'must be a date that exists (YYYY-MM-DD)',
    accepts: isRealDate,
  },
  declarantNumber: {
    title: 'numbers of declarants',
    error: 'must be 9 to 11 digits',
    accepts: matches(/^[0-9]{9,11}$/),
  },
  sequenceNumber: {
    title: 'sequence numbers',
    error: 'must be 1 to 6 digits',
    accepts: matches(/^[0-9]{1,6}$/),
  },
  subheading: {
    title: 'subheadings of the Harmonized System',
    error: 'must be six digits',
    accepts: matches(/^[0-9]{6}$/),
  },
} as const satisfies Record<
  string,
  { title: string; error: string; accepts: (text: string) => boolean }
>;

/** The name of a form of texts. */
export type TextForm = keyof typeof textForms;
