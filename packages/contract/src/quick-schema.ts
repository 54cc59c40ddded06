// The same rules, said so that they are checked quickly.
import type { TSchema } from 'typebox';

/** A copy without the names that documents know its parts by; what looks for them on the way costs time. */
export function withoutNames(schema: TSchema): TSchema {
  return copySchema(schema, (name, member) => [[name, member]]);
}

/**
 * A copy that accepts the same values: a `format` beside a `pattern` is left out, where the pattern says all that the
 * format does; members are compared with names where they would be matched with a pattern; and each object is a
 * definition of its own, which makes many small functions of one that is too large to be compiled well. It tells other
 * errors.
 */
export function quickSchema(schema: TSchema): TSchema {
  const plain = copySchema(schema, (name, member, part) => {
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
    if (!('type' in part && part.type === 'object')) return copy;
    const name = `object${Object.keys(definitions).length}`;
    definitions[name] = copy;
    return { $ref: `#/$defs/${name}` };
  };
  const defined = define(plain);
  // The cast is true because a reference to a definition is a schema, as is a copy of one.
  return { ...(defined as TSchema), $defs: definitions };
}

type Member = [name: string, value: unknown];

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
