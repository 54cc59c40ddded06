// How far a time is from another one, in words.
import { type Language, locales } from '../language/language.js';

/** From the largest unit to the smallest, in seconds. */
const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 365 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/**
 * How far a time is from another one in the largest unit of which it is at least two, rounded down, such as
 * `in 58 seconds` or `3 minutes ago`.
 *
 * @param at ISO 8601
 * @param from ISO 8601
 */
export function relativeTime(at: string, from: string, language: Language): string {
  const seconds = Math.floor((Date.parse(at) - Date.parse(from)) / 1000);
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= 2 * one) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(locales[language]);
  return format.format(Math.trunc(seconds / length), unit);
}
