// Schemas as a document says them: those with an `$id` become components and are referred to.
import type { TSchema } from 'typebox';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Collects the schemas that have a name while the document is made. */
export class SchemaComponents {
  readonly #schemas = new Map<string, Json>();
  readonly #place: string;

  /** @param place where the document keeps its components */
  constructor(place = '#/components/schemas') {
    this.#place = place;
  }

  /** What stands in the place of a schema. */
  describe(schema: TSchema): Json {
    return this.#describeObject(schema);
  }

  /** The components by their names, in the order in which they were first met. */
  all(): Json {
    return Object.fromEntries(this.#schemas);
  }

  #describeObject(value: object): Json {
    if (!('$id' in value) || typeof value.$id !== 'string') return this.#describeMembers(value);
    const { $id: name, ...schema } = value;
    if (!this.#schemas.has(name)) {
      // Kept empty first, to hold its place before the components that it refers to.
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#describeMembers(schema));
    }
    return { $ref: `${this.#place}/${name}` };
  }

  #describeMembers(value: object): Json {
    const members = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#describeValue(member)]),
    );
    return isEnumOfStrings(members) ? { type: 'string', ...members } : members;
  }

  #describeValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.#describeValue(member));
    return typeof value === 'object' && value !== null ? this.#describeObject(value) : value;
  }
}

/** JSON Schema does not ask for the type of an enumeration; many readers of OpenAPI do. */
function isEnumOfStrings(schema: Json): boolean {
  return Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string');
}
