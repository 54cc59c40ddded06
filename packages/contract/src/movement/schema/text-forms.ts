// The forms of texts in movement messages, each with its check and the text of its error.
import { isRealDate, isRealDateTime } from '../../formats.js';
import { isMrn, MRN_PATTERN } from '../../identifiers.js';
import {
  hasInvisibleInIdentifier,
  hasInvisibleInLines,
  INVISIBLE_ERROR,
  INVISIBLE_IN_LINES_ERROR,
} from '../../invisible-characters.js';
import { patternError } from '../../patterns.js';
import { DECLARANT_NUMBER, SEQUENCE_NUMBER } from '../../reference-document.js';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** The forms: what JSON Schema can say of each, what a text of it is, and whether a text is one. */
export const textForms = {
  line: {
    schema: {},
    title: 'numbers, documents and codes',
    error: INVISIBLE_ERROR,
    accepts: (text) => !hasInvisibleInIdentifier(text),
  },
  lines: {
    schema: {},
    title: 'other texts',
    error: INVISIBLE_IN_LINES_ERROR,
    accepts: (text) => !hasInvisibleInLines(text),
  },
  instant: {
    schema: { format: 'date-time' },
    title: 'instants',
    error: 'invalid ISO-8601 instant in UTC (yyyy-MM-ddTHH:mm:ssZ)',
    accepts: (text) => instant.test(text) && isRealDateTime(text),
  },
  date: {
    schema: { format: 'date' },
    title: 'days',
    error: 'must be a date that exists (YYYY-MM-DD)',
    accepts: isRealDate,
  },
  declarantNumber: {
    schema: { pattern: '^[0-9]{9,11}$' },
    title: 'numbers of declarants',
    error: patternError(DECLARANT_NUMBER.source),
    accepts: matches(DECLARANT_NUMBER),
  },
  sequenceNumber: {
    schema: { pattern: '^[0-9]{1,6}$' },
    title: 'sequence numbers',
    error: patternError(SEQUENCE_NUMBER.source),
    accepts: matches(SEQUENCE_NUMBER),
  },
  mrn: {
    schema: { pattern: MRN_PATTERN },
    title: 'references to messages',
    error: 'must be an MRN',
    accepts: isMrn,
  },
  subheading: {
    schema: { pattern: '^[0-9]{6}$' },
    title: 'subheadings of the Harmonized System',
    error: 'must be six digits',
    accepts: matches(/^[0-9]{6}$/),
  },
} as const satisfies Record<
  string,
  { schema: object; title: string; error: string; accepts: (text: string) => boolean }
>;

/** The name of a form of texts. */
export type TextForm = keyof typeof textForms;
