// Checks a message against its schema and the rules beyond it, and reports all broken rules.
import type { TSchema } from 'typebox';
import { Check as accepts, Compile, type Validator as Compiled, Errors } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { checkableSchema, quickSchema, withoutItems } from './checkable-schema.js';
import { describeError, memberAt, type SchemaPart } from './describe-error.js';
import { MAX_REPORTED_ERRORS, type ValidationError } from './errors.js';
import { setFormats } from './formats.js';
import { isObject } from './is-object.js';
import { compileRules } from './message-rules.js';
import { findUnknownMembers } from './unknown-members.js';

/** For one object without its lists. A member may have several errors, of which one is reported. */
Settings.Set({ maxErrors: 10 * MAX_REPORTED_ERRORS });
setFormats();

/** The result of a check: the value, without members that are null, or the broken rules. */
export type Checked<Value> =
  | { valid: true; value: Value }
  | { valid: false; errors: ValidationError[]; value: unknown };

/** Checks a value against a schema, which is compiled once. */
export type Check<Value> = (value: unknown) => Checked<Value>;

/** How a schema is checked. */
export type CheckOptions = {
  /**
   * The value is checked and returned unchanged. Without it (the default), members whose value is `null` count as absent,
   * and text with invisible characters is refused, some of which no database can store. In a strict schema, the `pattern`
   * beside a `format` must be as strict as the format.
   */
  strict?: boolean;
  /** Members that the schema does not have are errors. Without it (the default) they are ignored. */
  refuseUnknown?: boolean;
  /**
   * The schema is interpreted and not compiled to JavaScript, which the content policy of a page forbids. The results are
   * the same, and take longer.
   */
  interpreted?: boolean;
};

type Validator = Pick<Compiled, 'Check' | 'Errors'>;

/**
 * Compiles a schema to a check. A check takes time proportional to the value, and skips lists that are too long.
 *
 * @param schema the schema of `Value`
 * @returns a function that reports the broken rules of a value, at most one for each member, until there is one more than
 *   `MAX_REPORTED_ERRORS`
 * @example
 * const check = compileCheck<TransportDocument>(TransportDocument);
 * check({ type: 'N740' }); // { valid: false, errors: [{ field: 'documentNumber', code: 'REQUIRED', ... }] }
 */
export function compileCheck<Value>(schema: TSchema, options: CheckOptions = {}): Check<Value> {
  const { strict = false, interpreted = false, refuseUnknown = false } = options;
  const key = JSON.stringify([strict, interpreted, refuseUnknown]);
  const ofSchema = compiled.get(schema) ?? new Map<string, Check<unknown>>();
  compiled.set(schema, ofSchema);
  const check = ofSchema.get(key) ?? compileAnew(schema, { strict, interpreted, refuseUnknown });
  ofSchema.set(key, check);
  // The cast is true because the schema is that of `Value`, as the caller says.
  return check as Check<Value>;
}

/** The checks of each schema: several services in a process have the same. */
const compiled = new WeakMap<TSchema, Map<string, Check<unknown>>>();

function compileAnew<Value>(
  schema: TSchema,
  { strict, interpreted, refuseUnknown }: Required<CheckOptions>,
): Check<Value> {
  const compile = interpreted ? interpret : compileToCode;
  const checkable = checkableSchema(schema, { strict });
  const accepting = compile(strict ? quickSchema(checkable) : checkable);
  const report = compileReport(schema, { strict, compile });
  const findErrors = compileRules(schema);
  const reportAll = (value: unknown): Checked<Value> => {
    const errors = new FoundErrors();
    report(value, [], errors);
    return { valid: false, errors: errors.all(), value };
  };
  const applyRules = (value: unknown): Checked<Value> => {
    // The cast is true because the compiled schema has just accepted the value.
    if (findErrors === undefined) return { valid: true, value: value as Value };
    const errors = new FoundErrors();
    for (const error of findErrors(value)) errors.add(error);
    return errors.isEmpty
      ? { valid: true, value: value as Value }
      : { valid: false, errors: errors.all(), value };
  };
  const checkValue = (value: unknown): Checked<Value> => {
    if (accepting.Check(value)) return applyRules(value);
    if (strict || !hasNull(schema, value)) return reportAll(value);
    const stripped = withoutNulls(schema, value);
    return accepting.Check(stripped) ? applyRules(stripped) : reportAll(stripped);
  };
  if (!refuseUnknown) return checkValue;
  return (value) => {
    const checked = checkValue(value);
    const unknown = findUnknownMembers(schema, value);
    if (unknown.length === 0) return checked;
    const errors = [...(checked.valid ? [] : checked.errors), ...unknown];
    return { valid: false, errors, value: checked.value };
  };
}

type MakeValidator = (schema: TSchema) => Validator;

const compileToCode: MakeValidator = (schema) => Compile(schema);

const interpret: MakeValidator = (schema) => ({
  Check: (value): value is unknown => accepts(schema, value),
  Errors: (value) => Errors(schema, value),
});

/** Whether a member of the schema is null; lists that are too long are skipped. */
function hasNull(schema: SchemaPart, value: unknown): boolean {
  const { items, properties, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value) && items !== undefined) {
    return value.length <= maxItems && value.some((item) => hasNull(items, item));
  }
  if (!isObject(value) || properties === undefined) return false;
  return Object.entries(properties).some(
    ([name, property]) =>
      Object.hasOwn(value, name) && (value[name] === null || hasNull(property, value[name])),
  );
}

/** A copy without the members that are null. Its depth is bounded by the schema. */
function withoutNulls(schema: SchemaPart, value: unknown): unknown {
  const { items, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value) && items !== undefined) {
    return value.length > maxItems ? value : value.map((item) => withoutNulls(items, item));
  }
  if (!isObject(value) || schema.properties === undefined) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name];
    if (member !== null) copy[name] = withoutNulls(property, member);
  }
  return schema.additionalProperties === true ? { ...withoutNullMembers(value), ...copy } : copy;
}

function withoutNullMembers(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Collects the first error of each member, until there is one more than are reported. */
class FoundErrors {
  readonly #byField = new Map<string, ValidationError>();

  get isEmpty(): boolean {
    return this.#byField.size === 0;
  }

  get isFull(): boolean {
    return this.#byField.size > MAX_REPORTED_ERRORS;
  }

  add(error: ValidationError): void {
    if (!this.isFull && !this.#byField.has(error.field)) this.#byField.set(error.field, error);
  }

  all(): ValidationError[] {
    return [...this.#byField.values()];
  }
}

/** Adds the errors of an invalid value; `before` is its path in the message. */
type Report = (value: unknown, before: readonly string[], errors: FoundErrors) => void;

/** A list of a schema: its path, and how its items are checked. */
type List = {
  path: readonly string[];
  maxItems: number;
  uniqueItems: boolean;
  accepts: (item: unknown) => boolean;
  report: Report;
};

type ReportOptions = { strict: boolean; compile: MakeValidator };

/** The validator reports errors outside lists. The items of lists are checked one by one, and reported if invalid. */
function compileReport(schema: TSchema, options: ReportOptions): Report {
  const validator = options.compile(withoutItems(checkableSchema(schema, options)));
  const lists = findLists(schema, options);
  return (value, before, errors) => {
    const [, found] = validator.Errors(value);
    for (const error of found) {
      for (const described of describeError(schema, value, error, before)) errors.add(described);
    }
    for (const list of lists) reportList(list, memberAt(value, list.path), before, errors);
  };
}

function reportList(
  { path, maxItems, uniqueItems, accepts, report }: List,
  items: unknown,
  before: readonly string[],
  errors: FoundErrors,
): void {
  if (!Array.isArray(items) || items.length > maxItems) return;
  const field = [...before, ...path];
  if (uniqueItems && new Set(items).size < items.length) {
    errors.add({ field: field.join('.'), error: 'items must be unique', code: 'FORMAT' });
  }
  for (const [index, item] of items.entries()) {
    if (errors.isFull) return;
    if (!accepts(item)) report(item, [...field, String(index)], errors);
  }
}

function findLists(
  schema: TSchema & SchemaPart,
  options: ReportOptions,
  path: string[] = [],
): List[] {
  const { items, properties = {}, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (items !== undefined) {
    const validator = options.compile(checkableSchema(items, options));
    const uniqueItems = 'uniqueItems' in schema && schema.uniqueItems === true;
    const accepts = (item: unknown) => validator.Check(item);
    return [{ path, maxItems, uniqueItems, accepts, report: compileReport(items, options) }];
  }
  return Object.entries(properties).flatMap(([name, member]) =>
    findLists(member, options, [...path, name]),
  );
}
