// Checks a message against its schema and tells all broken rules together, in the wire contract's own codes.
import type { TSchema } from 'typebox';

import type { TLocalizedValidationError } from 'typebox/error';
import Format from 'typebox/format';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import type { ValidationError } from './errors.js';
import {
  CONTAINER_PATTERN,
  isContainerId,
  MRN_PATTERN,
  RECEPTACLE_PATTERN,
  UUID_PATTERN,
} from './identifiers.js';
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
  [ONE_LINE_PATTERN]: 'must not contain control characters',
};

/** What the formats of the contract ask for, in words. */
const formatRules: Record<string, string> = {
  uuid: 'must be a UUID',
  date: 'must be a date (YYYY-MM-DD)',
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
 * Compiles a schema to a check. Members whose value is `null` count as left out.
 *
 * @param schema the schema; its type decides what the check gives back
 * @returns a function that tells all broken rules of a value, at most one for each member
 * @example
 * const check = compileCheck<TransportDocument>(TransportDocument);
 * check({ type: 'N740' }); // { valid: false, errors: [{ field: 'documentNumber', code: 'REQUIRED', ... }] }
 */
export function compileCheck<Value>(schema: TSchema): Check<Value> {
  const validator: Validator = Compile(schema);
  return (value) => {
    // The cast is true because the compiled schema has just accepted the value.
    if (validator.Check(value)) return { valid: true, value: value as Value };
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
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = atSchema(schema, path);
      return [{ field, error: `must be between ${minimum} and ${maximum}`, code: 'FORMAT' }];
    }
    case 'enum':
      return typeof member === 'string'
        ? [{ field, error: oneOf(error.params.allowedValues), code: 'UNKNOWN_CODE' }]
        : [{ field, error: 'must be a string', code: 'FORMAT' }];
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

function oneOf(values: readonly unknown[]): string {
  return `must be one of [${values.join(', ')}]`;
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
