// Patterns of dates and times of the goods-item message. They accept only existing days, because JSON Schema 2020-12 does
// not require validators to check `format`.
import { definePattern } from '../patterns.js';

// Without look-ahead, which not every validator supports.
const ANY_YEAR = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})';
const LEAP_YEAR =
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const DAY_OF_ANY_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';

/** A date that exists in the years 0001 to 9999: 2024-02-29, but not 2025-02-29. */
const REAL_DATE = `(?:${ANY_YEAR}-${DAY_OF_ANY_YEAR}|${LEAP_YEAR}-02-29)`;

/** A date that exists (ISO 8601, extended form). */
export const REAL_DATE_PATTERN = definePattern(
  `^${REAL_DATE}$`,
  'must be a date that exists (YYYY-MM-DD)',
);

/** A date-time that exists, in UTC with `Z`; seconds may have a fraction of up to nine digits. */
export const UTC_DATE_TIME_PATTERN = definePattern(
  `^${REAL_DATE}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?Z$`,
  'must be a date-time that exists, in UTC with Z (ISO 8601)',
);

// Without separators and with the day first, as in the id of a customs declaration.
const DAY_AND_MONTH =
  '(?:(?:0[1-9]|[12][0-9]|3[01])(?:0[13578]|1[02])|(?:0[1-9]|[12][0-9]|30)(?:0[469]|11)|(?:0[1-9]|1[0-9]|2[0-8])02)';

/** A date that exists in the years 0001 to 9999, as DDMMYYYY: the inside of a pattern. */
export const COMPACT_DATE = `(?:${DAY_AND_MONTH}${ANY_YEAR}|2902${LEAP_YEAR})`;
