// Finds what makes a response something else than its schema describes: members that are missing or of another type. What
// a later version may extend is not checked: further members, the values of enumerations, patterns and lengths.
import type { TSchema } from 'typebox';
import { isObject } from './is-object.js';

/** The members of JSON Schema that the schemas of responses have. */
export type SchemaPart = {
  type?: string;
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: TSchema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly TSchema[];
  allOf?: readonly TSchema[];
};

type Oddity = { path: string[]; what: string };

/**
 * What is odd about a value, such as `member "clients.0.client_id" is missing`; `undefined` if nothing is. It takes time
 * proportional to the value.
 */
export function findOddity(schema: TSchema, value: unknown): string | undefined {
  const odd = find(schema, value);
  if (odd === undefined) return undefined;
  const { path, what } = odd;
  return path.length === 0 ? `it ${what}` : `member "${path.join('.')}" ${what}`;
}

function find(schema: TSchema, value: unknown): Oddity | undefined {
  // The cast is true because a schema is JSON Schema, which may have each of these members.
  const part = schema as SchemaPart;
  const type = part.type ?? (part.enum && typeof part.enum[0]);
  if (type !== undefined && !isOfType(value, type)) {
    return { path: [], what: `is ${nameOf(value)}, not ${withArticle(type)}` };
  }
  if ('const' in part && value !== part.const) {
    return { path: [], what: `is not ${JSON.stringify(part.const)}` };
  }
  return findInChoices(part, value) ?? findInMembers(part, value) ?? findInItems(part, value);
}

function findInChoices({ anyOf, allOf = [] }: SchemaPart, value: unknown): Oddity | undefined {
  for (const each of allOf) {
    const odd = find(each, value);
    if (odd !== undefined) return odd;
  }
  if (anyOf === undefined) return undefined;
  const found = anyOf.map((each) => find(each, value));
  // The one that it resembles most says what is wrong.
  return found.includes(undefined)
    ? undefined
    : found.reduce((a, b) => ((b?.path.length ?? 0) > (a?.path.length ?? 0) ? b : a));
}

function findInMembers(
  { properties, required = [] }: SchemaPart,
  value: unknown,
): Oddity | undefined {
  if (!isObject(value)) return undefined;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { path: [missing], what: 'is missing' };
  for (const name in properties) {
    const member = properties[name];
    if (member === undefined || !Object.hasOwn(value, name)) continue;
    const odd = find(member, value[name]);
    if (odd !== undefined) return { ...odd, path: [name, ...odd.path] };
  }
  return undefined;
}

function findInItems({ items }: SchemaPart, value: unknown): Oddity | undefined {
  if (!Array.isArray(value) || items === undefined) return undefined;
  for (const [index, item] of value.entries()) {
    const odd = find(items, item);
    if (odd !== undefined) return { ...odd, path: [String(index), ...odd.path] };
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(type: string): string {
  if (type === 'array') return 'a list';
  if (type === 'string') return 'a text';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
