// What members of the goods-item message have in common.
import { type TProperties, Type } from 'typebox';
import { COUNTRY_PATTERN, REAL_DATE_PATTERN, TWO_DIGITS_PATTERN } from './patterns.js';

/** The items of a list, as many as the EU customs data model allows; the specification names no bound. */
export const MAX_LIST_ITEMS = 99;

/** An object that has no other members than these. Goods-item stream, section 2; wire contract, section 8. */
export function Strict<Properties extends TProperties>(
  properties: Properties,
  options: { $id?: string; description?: string } = {},
) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** A country by its two letters. */
export const Country = (description: string) =>
  Type.String({ pattern: COUNTRY_PATTERN, description });

/** A code of two digits. */
export const TwoDigits = (description: string) =>
  Type.String({ pattern: TWO_DIGITS_PATTERN, description });

/** A day that exists. */
export const RealDate = (description: string) =>
  Type.String({ format: 'date', pattern: REAL_DATE_PATTERN, description });

/** A text of at most so many characters. */
export const TextUpTo = (maxLength: number, description: string) =>
  Type.String({ maxLength, description });
