// Members that a schema does not have. Most messages may have them; where a typing error would change nothing, they are refused.
import type { TSchema } from 'typebox';
import type { SchemaPart } from './describe-error.js';
import { MAX_REPORTED_ERRORS, type ValidationError } from './errors.js';
import { replaceInvisible } from './invisible-characters.js';
import { isObject } from './is-object.js';

/** Maximum number of characters of the name of an unknown member that are reported. */
const MAX_NAME = 100;

/** What stands for a character that nobody sees, or that no database can store. */
const REPLACEMENT = '\ufffd';

/** Members that lists and signals show with an object: what was read may be sent, and they are ignored (decision 0198). */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  TransportDocument: ['referenceNumber'],
  CustomsDeclarationReference: ['reference', 'registeredAt', 'changedAt'],
  NumberedReference: ['reference', 'registeredAt', 'changedAt'],
};

/**
 * The errors of members that the schema of a value, or of an object within it, does not have and does not allow; of
 * each object at most `MAX_REPORTED_ERRORS`.
 */
export function findUnknownMembers(
  schema: TSchema,
  value: unknown,
  path: readonly string[] = [],
): ValidationError[] {
  const { $id = '', properties, items, additionalProperties }: SchemaPart = schema;
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item, index) => findUnknownMembers(items, item, [...path, `${index}`]));
  }
  if (!isObject(value) || properties === undefined) return [];
  const isOpen = additionalProperties === true;
  const unknown = isOpen
    ? []
    : Object.keys(value).filter(
        (name) => !Object.hasOwn(properties, name) && !SHOWN[$id]?.includes(name),
      );
  return [
    ...unknown.slice(0, MAX_REPORTED_ERRORS).map(
      (name): ValidationError => ({
        field: [...path, replaceInvisible(name.slice(0, MAX_NAME), () => REPLACEMENT)].join('.'),
        error: `is not known: must be one of [${Object.keys(properties).join(', ')}]`,
        code: 'UNKNOWN_MEMBER',
      }),
    ),
    ...Object.entries(properties).flatMap(([name, member]) =>
      Object.hasOwn(value, name) ? findUnknownMembers(member, value[name], [...path, name]) : [],
    ),
  ];
}
