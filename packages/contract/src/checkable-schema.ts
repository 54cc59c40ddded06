// Rewrites schemas so that checking is fast and takes linear time, and lengths are checked before contents.

import type { TSchema } from 'typebox';
import { INVISIBLE_IN_IDENTIFIERS } from './invisible-characters.js';

/**
 * A copy that is compiled to a check. It has no `$id`, because resolving names takes time. The length of a list, and in
 * linear time that its items are unique, are checked before the items. Text must have no invisible characters, some of
 * which no database can store, unless the schema is strict: then only its patterns restrict text.
 */
export function checkableSchema(schema: TSchema, { strict }: { strict: boolean }): TSchema {
  return copySchema(schema, (name, member, part) => {
    if (name === 'items' && isOfType(part, 'array')) {
      const unique = 'uniqueItems' in part && part.uniqueItems === true;
      return [['allOf', [...(unique ? [{ '~refine': [uniqueItems] }] : []), { items: member }]]];
    }
    if (name === 'uniqueItems') return [];
    const isText = name === 'type' && member === 'string' && !('format' in part);
    if (!isText || strict) return [[name, member]];
    return [
      [name, member],
      ['format', isIdentifier(part) ? 'identifier' : 'text'],
    ];
  });
}

/** A copy without the items of lists, which are checked one by one until enough errors are found. */
export function withoutItems(checkable: TSchema): TSchema {
  return copySchema(checkable, (name, member, part) =>
    isOfType(part, 'array') && name === 'allOf' ? [] : [[name, member]],
  );
}

/**
 * A faster copy that accepts the same values and reports other errors. It has no `format` beside a `pattern`, because in
 * strict schemas the pattern is as strict; unknown members are found by name instead of by pattern; and each object is
 * a separate definition, because V8 optimises many small functions better than one large function.
 */
export function quickSchema(checkable: TSchema): TSchema {
  const plain = copySchema(checkable, (name, member, part) => {
    if (name === 'format' && typeof member === 'string' && 'pattern' in part) return [];
    if (name === 'additionalProperties' && member === false && 'properties' in part) {
      return [['propertyNames', { enum: Object.keys(part.properties ?? {}) }]];
    }
    return [[name, member]];
  });
  const definitions: Record<string, unknown> = {};
  const define = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(define);
    if (typeof part !== 'object' || part === null) return part;
    const copy = Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, define(member)]),
    );
    if (!isOfType(part, 'object')) return copy;
    const name = `object${Object.keys(definitions).length}`;
    definitions[name] = copy;
    return { $ref: `#/$defs/${name}` };
  };
  const defined = define(plain);
  // The cast is true because a reference to a definition is a schema, as is a copy of one.
  return { ...(defined as TSchema), $defs: definitions };
}

/** Checks `uniqueItems` in linear time. All lists of the contract with `uniqueItems` are lists of texts. */
const uniqueItems = {
  check: (list: unknown) => !Array.isArray(list) || new Set(list).size === list.length,
  error: () => 'items must be unique',
};

type Member = [name: string, value: unknown];

/** Whether a schema of a text refuses what identifiers must not have. Its pattern says it as far as every tool can read. */
function isIdentifier(part: object): boolean {
  return (
    'pattern' in part &&
    typeof part.pattern === 'string' &&
    part.pattern.includes(INVISIBLE_IN_IDENTIFIERS)
  );
}

/** Whether a part of a schema is a schema of this type. It may also be the `properties` of a message with a member `type`. */
function isOfType(part: object, type: string): boolean {
  return 'type' in part && part.type === type;
}

function copySchema(
  schema: TSchema,
  change: (name: string, member: unknown, part: object) => Member[],
): TSchema {
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== 'object' || part === null) return part;
    const members = Object.entries(part)
      .filter(([name, member]) => !(name === '$id' && typeof member === 'string'))
      .flatMap(([name, member]) => change(name, member, part));
    return Object.fromEntries(members.map(([name, member]) => [name, copy(member)]));
  };
  // The cast is true because a copy of a schema, member by member, is a schema.
  return copy(schema) as TSchema;
}
