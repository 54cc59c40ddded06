// Schemas that several parts of the goods-item message use.
import { type TProperties, Type } from 'typebox';
import {
  INVISIBLE_IN_LINES,
  INVISIBLE_IN_LINES_ERROR,
  SURROGATES,
} from '../invisible-characters.js';
import { COUNTRY_PATTERN, definePattern } from '../patterns.js';
import { REAL_DATE_PATTERN } from './date-patterns.js';

/** Maximum number of items of a list. The specification has no maximum; this is that of the EU customs data model. */
export const MAX_LIST_ITEMS = 99;

/** An object that refuses other members. */
export function Strict<Properties extends TProperties>(
  properties: Properties,
  options: { $id?: string; description?: string } = {},
) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** A country code (ISO 3166-1 alpha-2). */
export const Country = (description: string) =>
  Type.String({ pattern: COUNTRY_PATTERN, description });

/** A code of two digits. */
export const TwoDigits = (description: string) =>
  Type.String({ pattern: definePattern('^[0-9]{2}$', 'must be two digits'), description });

/** A date that exists. */
export const RealDate = (description: string) =>
  Type.String({ format: 'date', pattern: REAL_DATE_PATTERN, description });

/** Text of any number of lines. */
const TEXT_PATTERN = definePattern(
  `^[^${INVISIBLE_IN_LINES}${SURROGATES}]*$`,
  INVISIBLE_IN_LINES_ERROR,
);

/** A text with a maximum length, in characters. */
export const TextUpTo = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: TEXT_PATTERN, description });
