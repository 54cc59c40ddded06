// The same rules in the form in which they are checked: quickly, in linear time, and bounds before what they bound.
import type { TSchema } from 'typebox';

/**
 * A copy that is compiled to a check. Names of parts are left out, because looking for them costs time. The length of a
 * list and, in linear time, that its items differ are checked before the items. Text is what a database can hold, unless the
 * schema is strict: then a `pattern` or nothing says what text may be.
 */
export function checkableSchema(schema: TSchema, { strict }: { strict: boolean }): TSchema {
  return copySchema(schema, (name, member, part) => {
    if (name === 'items' && isOfType(part, 'array')) {
      const differ = 'uniqueItems' in part && part.uniqueItems === true;
      return [['allOf', [...(differ ? [{ '~refine': [allDiffer] }] : []), { items: member }]]];
    }
    if (name === 'uniqueItems') return [];
    const isText = name === 'type' && member === 'string' && !('format' in part);
    return isText && !strict ? [[name, member], TEXT] : [[name, member]];
  });
}

/** The same without what is said of the items of lists: they are checked one by one, until enough errors are found. */
export function withoutItems(checkable: TSchema): TSchema {
  return copySchema(checkable, (name, member, part) =>
    isOfType(part, 'array') && name === 'allOf' ? [] : [[name, member]],
  );
}

/**
 * A copy that accepts the same values: a `format` beside a `pattern` is left out, where the pattern says all that the
 * format does; members are compared with names where they would be matched with a pattern; and each object is a
 * definition of its own, which makes many small functions of one that is too large to be compiled well. It reports
 * other errors.
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

/** What makes a list unequal items, in linear time; all lists of the contract that say `uniqueItems` hold texts. */
const allDiffer = {
  check: (list: unknown) => !Array.isArray(list) || new Set(list).size === list.length,
  error: () => 'must not hold the same twice',
};

type Member = [name: string, value: unknown];

const TEXT: Member = ['format', 'text'];

/** Whether a part of a schema is one of this type; a member of a message may be named `type` too. */
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
