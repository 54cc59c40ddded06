// The MRNs of movement messages, which this service makes.
import { iso6346CheckDigit } from '../identifiers.js';

/** Digits and capital letters without I and O, which look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** How many of its characters are random. */
const RANDOM_CHARACTERS = 12;

/** Marks the MRN of a movement. */
const MARK = 'T';

/**
 * Makes an MRN that cannot be guessed: year, country, 12 random characters, `T` and a check digit.
 *
 * @param year of lodging
 * @param country ISO 3166-1 alpha-2
 * @param random gives a whole number from 0 up to, and without, its argument; from a source that cannot be guessed
 * @example
 * makeMovementMrn({ year: 2026, country: 'NO', random: randomInt }); // '26NO7K2M4Q9XWR5HT0' or another one
 */
export function makeMovementMrn({
  year,
  country,
  random,
}: {
  year: number;
  country: string;
  random: (limit: number) => number;
}): string {
  let mrn = String(year % 100).padStart(2, '0') + country;
  for (let count = 0; count < RANDOM_CHARACTERS; count++) mrn += ALPHABET[random(ALPHABET.length)];
  mrn += MARK;
  return `${mrn}${iso6346CheckDigit(mrn)}`;
}
