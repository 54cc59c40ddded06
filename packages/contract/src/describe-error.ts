// What an error of the validator is reported as: the member, the rule in words and the wire contract's own code.
import type { TLocalizedValidationError } from 'typebox/error';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import type { ValidationError } from './errors.js';
import { formatRules } from './formats.js';
import {
  COUNTRY_PATTERN,
  DECLARATION_OFFICE_PATTERN,
  DECLARATION_PATTERN,
  EVENT_ID_PATTERN,
  INCOTERM_PATTERN,
  INFORMATION_CODE_PATTERN,
  PARTY_NUMBER_PATTERN,
  REAL_DATE_PATTERN,
  TAX_TYPE_PATTERN,
  TWO_DIGITS_PATTERN,
  UTC_DATE_TIME_PATTERN,
} from './goods-items/patterns.js';
import { HS_CHAPTER_PATTERN, HS_SUBHEADING_PATTERN } from './harmonized-system.js';
import { CONTAINER_PATTERN, MRN_PATTERN, RECEPTACLE_PATTERN, UUID_PATTERN } from './identifiers.js';
import { PARTY_PATTERN } from './organisation.js';
import { ONE_LINE_PATTERN } from './transport-document.js';

/** What the patterns of the contract ask for, in words. */
const patternRules: Record<string, string> = {
  [UUID_PATTERN]: 'must be a UUID',
  [MRN_PATTERN]: 'must be an MRN: two digits, a country code, fourteen capital letters or digits',
  [RECEPTACLE_PATTERN]: 'must be a receptacle identifier (UPU S9)',
  [CUSTOMS_OFFICE_PATTERN]: 'must be a country code and six capital letters or digits',
  [CONTAINER_PATTERN]: 'must be a container identifier with its check digit (ISO 6346)',
  [PARTY_PATTERN]:
    "must be '0192:' and nine digits, or an eSeal's organizationIdentifier on one line",
  [ONE_LINE_PATTERN]: 'must not contain control characters',
  [EVENT_ID_PATTERN]: 'must be a UUID in lower case',
  [UTC_DATE_TIME_PATTERN]: 'must be a date-time that exists, in UTC with Z (ISO 8601)',
  [REAL_DATE_PATTERN]: 'must be a date that exists (YYYY-MM-DD)',
  [DECLARATION_PATTERN]:
    'must be a declaration identifier: up to 11 digits, 8 digits, up to 6 digits and 2 digits, joined by hyphens',
  [HS_SUBHEADING_PATTERN]: 'must be six digits',
  [HS_CHAPTER_PATTERN]: 'must be a chapter of the Harmonized System, 01 to 99',
  [TWO_DIGITS_PATTERN]: 'must be two digits',
  [COUNTRY_PATTERN]: 'must be two capital letters (ISO 3166-1)',
  [INCOTERM_PATTERN]: 'must be three capital letters (Incoterms)',
  [DECLARATION_OFFICE_PATTERN]: 'must be a country code and four to six digits',
  [PARTY_NUMBER_PATTERN]: 'must be a country code and up to fifteen letters or digits',
  [TAX_TYPE_PATTERN]: 'must be a digit and two capital letters or digits',
  [INFORMATION_CODE_PATTERN]: 'must be a capital letter and two to four capital letters or digits',
};

/** Errors that only say that one of the errors beside them is there. */
const aggregateKeywords = new Set(['if', 'allOf', 'additionalProperties']);

/** The longest path that is reported whole, in characters. */
const MAX_FIELD = 200;

/** Members of a schema that lead to its parts and bound them. */
export type SchemaPart = Bounds & {
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  additionalProperties?: unknown;
};

/**
 * Describes one error of the validator; none when it only says that one of the errors beside it is there.
 *
 * @param before the path of `value` in the message, whose part `schema` is
 */
export function describeError(
  schema: SchemaPart,
  value: unknown,
  error: TLocalizedValidationError,
  before: readonly string[],
): ValidationError[] {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const fieldOf = (...name: string[]) => [...before, ...path, ...name].join('.');
  const field = fieldOf();
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({
      field: fieldOf(name),
      error: 'must not be null',
      code: 'REQUIRED' as const,
    }));
  }
  if (error.keyword === 'boolean') {
    return [
      { field: shortField(field), error: 'is not a member of the message', code: 'UNKNOWN_MEMBER' },
    ];
  }
  if (aggregateKeywords.has(error.keyword)) return [];
  const member = memberAt(value, path);
  if (typeof member === 'string' && member.trim() === '') {
    return [{ field, error: 'must not be blank', code: 'REQUIRED' }];
  }
  switch (error.keyword) {
    case 'type':
      return [{ field, error: `must be ${typeInWords(error.params.type)}`, code: 'FORMAT' }];
    case 'minLength':
    case 'maxLength':
      return [{ field, error: sizeRule(partAt(schema, path)), code: 'SIZE' }];
    case 'minItems':
    case 'maxItems': {
      const { minItems = 0, maxItems } = partAt(schema, path);
      return [
        { field, error: sizeRule({ minLength: minItems, maxLength: maxItems }), code: 'SIZE' },
      ];
    }
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = partAt(schema, path);
      return [{ field, error: `must be between ${minimum} and ${maximum}`, code: 'FORMAT' }];
    }
    case 'enum':
      return describeNotOneOf(field, member, error.params.allowedValues);
    case 'const':
      return describeNotOneOf(field, member, [error.params.allowedValue]);
    case 'pattern': {
      const pattern = String(error.params.pattern);
      return [{ field, error: patternRules[pattern] ?? `must match ${pattern}`, code: 'FORMAT' }];
    }
    case 'format':
      return [{ field, error: formatRules[error.params.format] ?? error.message, code: 'FORMAT' }];
    default:
      return [{ field, error: error.message, code: 'FORMAT' }];
  }
}

/** A field whose name is the sender's own, which may be of any length. */
function shortField(field: string): string {
  return field.length > MAX_FIELD ? `${field.slice(0, MAX_FIELD)}...` : field;
}

/** Where a code is requested: another code, or not a code at all. */
function describeNotOneOf(field: string, member: unknown, allowed: unknown[]): ValidationError[] {
  const [first] = allowed;
  if (typeof member !== typeof first) {
    return [{ field, error: `must be ${typeInWords(typeof first)}`, code: 'FORMAT' }];
  }
  const rule = allowed.length === 1 ? `must be ${first}` : `must be one of [${allowed.join(', ')}]`;
  return [{ field, error: rule, code: 'UNKNOWN_CODE' }];
}

type Bounds = {
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

function sizeRule({ minLength = 0, maxLength }: Bounds): string {
  return maxLength === undefined
    ? `size must be at least ${minLength}`
    : `size must be between ${minLength} and ${maxLength}`;
}

function typeInWords(type: string | string[]): string {
  const name = String(type);
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The part of a schema that a path of member names leads to. */
function partAt(schema: SchemaPart, path: readonly string[]): Bounds {
  let part = schema;
  for (const name of path) part = part.properties?.[name] ?? part.items ?? {};
  return part;
}

/** What a path of member names leads to in a message. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    // The cast is true because an object and an array alike have members by name.
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

/** RFC 6901, section 4. */
function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
