// Converts errors of the validator to validation errors: the member, the broken rule and the code.
import type { TLocalizedValidationError } from 'typebox/error';
import type { ValidationError } from './errors.js';
import { formatError } from './formats.js';
import { patternError } from './patterns.js';

/** Keywords whose errors only repeat that there is another error. */
const aggregateKeywords = new Set(['if', 'allOf', 'additionalProperties']);

/** The rule of a member that must be there. */
export const REQUIRED_RULE = 'must not be null';

/** Maximum length of a reported path, in characters. */
const MAX_FIELD = 200;

/** The members of a schema that are read here. */
export type SchemaPart = Bounds & {
  $id?: string;
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  anyOf?: SchemaPart[];
  additionalProperties?: unknown;
};

/**
 * Describes one error of the validator; empty if it only repeats another error.
 *
 * @param before the path of `value`, to which `schema` applies, in the message
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
      error: REQUIRED_RULE,
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
      return [{ field, error: typeRule(error.params.type), code: 'FORMAT' }];
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
      return [{ field, error: rangeRule(partAt(schema, path)), code: 'FORMAT' }];
    }
    case 'enum':
      return describeNotOneOf(field, member, error.params.allowedValues);
    case 'const':
      return describeNotOneOf(field, member, [error.params.allowedValue]);
    case 'pattern':
      return [{ field, error: patternError(String(error.params.pattern)), code: 'FORMAT' }];
    case 'format':
      return [{ field, error: formatError(error.params.format) ?? error.message, code: 'FORMAT' }];
    default:
      return [{ field, error: error.message, code: 'FORMAT' }];
  }
}

/** Shortens a path with a name that the sender chose, which may be of any length. */
function shortField(field: string): string {
  return field.length > MAX_FIELD ? `${field.slice(0, MAX_FIELD)}...` : field;
}

/** The error of a value that is not one of the allowed codes, or has another type. */
function describeNotOneOf(field: string, member: unknown, allowed: unknown[]): ValidationError[] {
  const [first] = allowed;
  if (typeof member !== typeof first) {
    return [{ field, error: typeRule(typeof first), code: 'FORMAT' }];
  }
  return [{ field, error: codeRule(allowed), code: 'UNKNOWN_CODE' }];
}

/** The rule of a member that is one of these codes. */
export function codeRule(allowed: readonly unknown[]): string {
  return allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of [${allowed.join(', ')}]`;
}

type Bounds = {
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

/** The rule of a text or list with a minimum or maximum size. */
export function sizeRule({ minLength = 0, maxLength }: Bounds): string {
  return maxLength === undefined
    ? `size must be at least ${minLength}`
    : `size must be between ${minLength} and ${maxLength}`;
}

/** The rule of a number with a minimum, a maximum, or both. */
export function rangeRule({ minimum, maximum }: Bounds): string {
  if (maximum === undefined) return `must be at least ${minimum}`;
  return minimum === undefined
    ? `must be at most ${maximum}`
    : `must be between ${minimum} and ${maximum}`;
}

/** The rule of a member of a type. */
export function typeRule(type: string | string[]): string {
  const name = String(type);
  return `must be ${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The part of a schema at a path of member names. */
function partAt(schema: SchemaPart, path: readonly string[]): Bounds {
  let part = schema;
  for (const name of path) part = partOf(part, name);
  return withChoices(part);
}

function partOf(part: SchemaPart, name: string): SchemaPart {
  const own = part.properties?.[name] ?? part.items;
  if (own !== undefined) return own;
  for (const choice of part.anyOf ?? []) {
    const found = partOf(choice, name);
    if (Object.keys(found).length > 0) return found;
  }
  return {};
}

/** The bounds of a part of which one choice has bounds: those of a number that may also be null. */
function withChoices(part: SchemaPart): Bounds {
  return Object.assign({}, ...(part.anyOf ?? []).map(withChoices), part);
}

/** The value in a message at a path of member names. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    // The cast is true because objects and arrays both have members by name.
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

/** RFC 6901, section 4. */
function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
