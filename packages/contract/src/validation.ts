// Checks a message against its schema and tells all broken rules together, in the wire contract's own codes.
import type { TSchema } from 'typebox';

import type { TLocalizedValidationError } from 'typebox/error';
import Format from 'typebox/format';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import type { ValidationError } from './errors.js';
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
import {
  CONTAINER_PATTERN,
  isContainerId,
  MRN_PATTERN,
  RECEPTACLE_PATTERN,
  UUID_PATTERN,
} from './identifiers.js';
import { PARTY_PATTERN } from './organisation.js';
import { quickSchema, withoutNames } from './quick-schema.js';
import { ONE_LINE_PATTERN } from './transport-document.js';

Settings.Set({ maxErrors: 1000 });
Format.Set('iso6346', isContainerId);

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
const umbrellas = new Set(['if', 'allOf', 'additionalProperties']);

/** The longest path that is told whole, in characters. */
const LONGEST_FIELD = 200;

/** What the formats of the contract ask for, in words. */
const formatRules: Record<string, string> = {
  uuid: 'must be a UUID',
  date: 'must be a date that exists (YYYY-MM-DD)',
  'date-time': 'must be a date-time (ISO 8601)',
  iso6346: 'must be a container identifier whose check digit is right (ISO 6346)',
};

/** The outcome of a check: the value as it may be used, or every broken rule. */
export type Checked<Value> =
  | { valid: true; value: Value }
  | { valid: false; errors: ValidationError[]; value: unknown };

/** Checks values against one schema, which is compiled once. */
export type Check<Value> = (value: unknown) => Checked<Value>;

/**
 * Compiles a schema to a check.
 *
 * @param schema the schema; its type decides what the check gives back
 * @param options `strict`: the value is checked and given back as it is. Without it (the default), members whose
 *   value is `null` count as left out. A strict schema says in a `pattern` all that its `format` says.
 * @returns a function that tells all broken rules of a value, at most one for each member
 * @example
 * const check = compileCheck<TransportDocument>(TransportDocument);
 * check({ type: 'N740' }); // { valid: false, errors: [{ field: 'documentNumber', code: 'REQUIRED', ... }] }
 */
export function compileCheck<Value>(
  schema: TSchema,
  { strict = false }: { strict?: boolean } = {},
): Check<Value> {
  const validator: Validator = Compile(withoutNames(schema));
  const accepting: Validator = strict ? Compile(quickSchema(schema)) : validator;
  return (value) => {
    // The cast is true because the compiled schema has just accepted the value.
    if (accepting.Check(value)) return { valid: true, value: value as Value };
    if (strict) return { valid: false, errors: tellErrors(schema, value, validator), value };
    const stripped = withoutNulls(schema, value);
    if (validator.Check(stripped)) return { valid: true, value: stripped as Value };
    return { valid: false, errors: tellErrors(schema, stripped, validator), value: stripped };
  };
}

type ObjectSchema = { properties?: Record<string, ObjectSchema>; items?: ObjectSchema };

/** A copy without the members that are null, as deep as the schema knows objects: bounded by the schema. */
function withoutNulls(schema: ObjectSchema, value: unknown): unknown {
  const { items } = schema;
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item) => withoutNulls(items, item));
  }
  if (!isObject(value) || schema.properties === undefined) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name];
    if (member !== null) copy[name] = withoutNulls(property, member);
  }
  return copy;
}

function tellErrors(schema: TSchema, value: unknown, validator: Validator): ValidationError[] {
  const byField = new Map<string, ValidationError>();
  const [, errors] = validator.Errors(value);
  for (const error of errors) {
    for (const told of tellError(schema, value, error)) {
      if (!byField.has(told.field)) byField.set(told.field, told);
    }
  }
  return [...byField.values()];
}

function tellError(
  schema: TSchema,
  value: unknown,
  error: TLocalizedValidationError,
): ValidationError[] {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const field = path.join('.');
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({
      field: [...path, name].join('.'),
      error: 'must not be null',
      code: 'REQUIRED' as const,
    }));
  }
  if (error.keyword === 'boolean') {
    // Its name is the sender's own, and may be of any length.
    const shown = field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}...` : field;
    return [{ field: shown, error: 'is not a member of the message', code: 'UNKNOWN_MEMBER' }];
  }
  if (umbrellas.has(error.keyword)) return [];
  const member = at(value, path);
  if (typeof member === 'string' && member.trim() === '') {
    return [{ field, error: 'must not be blank', code: 'REQUIRED' }];
  }
  switch (error.keyword) {
    case 'type':
      return [{ field, error: `must be ${typeInWords(error.params.type)}`, code: 'FORMAT' }];
    case 'minLength':
    case 'maxLength':
      return [{ field, error: sizeRule(atSchema(schema, path)), code: 'SIZE' }];
    case 'minItems':
    case 'maxItems': {
      const { minItems = 0, maxItems } = atSchema(schema, path);
      return [
        { field, error: sizeRule({ minLength: minItems, maxLength: maxItems }), code: 'SIZE' },
      ];
    }
    case 'uniqueItems':
      return [{ field, error: 'must not hold the same twice', code: 'FORMAT' }];
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = atSchema(schema, path);
      return [{ field, error: `must be between ${minimum} and ${maximum}`, code: 'FORMAT' }];
    }
    case 'enum':
      return tellNotOneOf(field, member, error.params.allowedValues);
    case 'const':
      return tellNotOneOf(field, member, [error.params.allowedValue]);
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

/** Where a code is asked for: another code, or not a code at all. */
function tellNotOneOf(field: string, member: unknown, allowed: unknown[]): ValidationError[] {
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
function atSchema(schema: ObjectSchema & Bounds, path: readonly string[]): Bounds {
  let part: ObjectSchema & Bounds = schema;
  for (const name of path) part = part.properties?.[name] ?? part.items ?? {};
  return part;
}

function at(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    // The cast is true because an object and an array alike have members by name.
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

/** Whether a value read from JSON is an object: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 6901, section 4. */
function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
