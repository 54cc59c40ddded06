// The patterns of the goods-item message. Goods-item stream, section 2. Those of dates say that the day exists, because
// JSON Schema 2020-12 does not ask validators to look at `format`.

/** A UUID in lower case: what eventIds are. */
export const EVENT_ID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** Identifier of a declaration (national extension). */
export const DECLARATION_PATTERN = '^[1-9][0-9]{0,10}-[0-9]{8}-[1-9][0-9]{0,5}-[0-9]{2}$';

/** A type of duty or tax. */
export const TAX_TYPE_PATTERN = '^[0-9]{1}[A-Z0-9]{2}$';

/** A code of additional information. */
export const INFORMATION_CODE_PATTERN = '^[A-Z]{1}[A-Z0-9]{2,4}$';

/** ISO 3166-1 alpha-2. */
export const COUNTRY_PATTERN = '^[A-Z]{2}$';

/** Two decimal digits, as several codes are. */
export const TWO_DIGITS_PATTERN = '^[0-9]{2}$';

/** Reference number of a customs office in a goods-item message: country and four to six digits. */
export const DECLARATION_OFFICE_PATTERN = '^[A-Z]{2}[0-9]{4,6}$';

/** An Incoterms code, such as `DAP`. */
export const INCOTERM_PATTERN = '^[A-Z]{3}$';

/** Country and up to fifteen letters or digits, such as an EORI number; national numbers begin with `NO`. */
export const PARTY_NUMBER_PATTERN = '^[A-Z]{2}[A-Za-z0-9]{0,15}$';

// Without look-ahead, which not every validator's language of patterns has.
const ANY_YEAR = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})';
const LEAP_YEAR =
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const DAY_OF_ANY_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';

/** A day of the calendar: 2024-02-29 is one, 2025-02-29 is not. Years 0001 to 9999. */
const REAL_DATE = `(?:${ANY_YEAR}-${DAY_OF_ANY_YEAR}|${LEAP_YEAR}-02-29)`;

/** A date that exists (ISO 8601, extended form). */
export const REAL_DATE_PATTERN = `^${REAL_DATE}$`;

/** A date-time that exists, in UTC with `Z`; seconds may have a fraction of up to nine digits. */
export const UTC_DATE_TIME_PATTERN = `^${REAL_DATE}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?Z$`;
