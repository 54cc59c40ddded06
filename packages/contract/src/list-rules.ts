// The rules that apply to a message, in the words in which errors report them.
import type { TSchema } from 'typebox';
import {
  codeRule,
  REQUIRED_RULE,
  rangeRule,
  type SchemaPart,
  sizeRule,
  typeRule,
} from './describe-error.js';
import { formatError } from './formats.js';
import { isObject } from './is-object.js';
import { patternError } from './patterns.js';

/** One rule: the path of its member, in which `*` is any index of a list, and its sentence. */
export type Rule = { field: string; rule: string };

/** The members of a schema that are rules. */
type RuledPart = SchemaPart & {
  required?: readonly string[];
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minItems?: number;
};

/**
 * Lists the rules of the members that a value has. The rules of an absent member do not apply, and the rules of a list's
 * items are listed once. Rules across members (`if`, `allOf`) and the refusal of other members are not listed.
 *
 * @param schema of the value
 * @param value any JSON value, valid or not
 * @returns at most as many rules as the schema has, in the order of its members
 * @example
 * listRules(TransportDocument, { type: 'N740' });
 * // [{ field: '', rule: 'must be an object' }, { field: 'type', rule: 'must not be null' }, ...]
 */
export function listRules(schema: TSchema, value: unknown): Rule[] {
  return rulesOf(schema, [value], []);
}

/** @param values what is at this path: several values if it is in a list */
function rulesOf(schema: RuledPart, values: readonly unknown[], path: readonly string[]): Rule[] {
  const { properties = {}, required = [], items } = schema;
  const objects = values.filter(isObject);
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const present = objects.filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    if (present.length === 0) return [];
    const field = [...path, name];
    const rules = rulesOf(member, present, field);
    return required.includes(name)
      ? [{ field: field.join('.'), rule: REQUIRED_RULE }, ...rules]
      : rules;
  });
  const elements = items === undefined ? [] : values.filter(Array.isArray).flat(1);
  return [
    ...sentencesOf(schema).map((rule) => ({ field: path.join('.'), rule })),
    ...members,
    ...(items === undefined || elements.length === 0
      ? []
      : rulesOf(items, elements, [...path, '*'])),
  ];
}

/** The rules of a value itself, without those of its members. */
function sentencesOf(schema: RuledPart): string[] {
  const { type, pattern, format, minLength, maxLength, minItems, maxItems, minimum } = schema;
  const rules: (string | undefined)[] = [];
  if (type !== undefined) rules.push(typeRule(type));
  if (schema.enum !== undefined) rules.push(codeRule(schema.enum));
  if ('const' in schema) rules.push(codeRule([schema.const]));
  if (pattern !== undefined) rules.push(patternError(pattern));
  else if (format !== undefined) rules.push(formatError(format));
  if (minLength !== undefined || maxLength !== undefined) rules.push(sizeRule(schema));
  if (minItems !== undefined || maxItems !== undefined) {
    rules.push(sizeRule({ minLength: minItems ?? 0, maxLength: maxItems }));
  }
  if (minimum !== undefined) rules.push(rangeRule(schema));
  return rules.filter((rule) => rule !== undefined);
}
