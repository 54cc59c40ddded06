// Schemas of a document: those with an `$id` become components, and are referred to.
import type { TSchema } from 'typebox';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Collects the named schemas while a document is made. */
export class SchemaComponents {
  readonly #schemas = new Map<string, Json>();
  readonly #path: string;

  /** @param path the JSON pointer of the components in the document */
  constructor(path = '#/components/schemas') {
    this.#path = path;
  }

  /** The schema, or a reference to it if it has a name. */
  describe(schema: TSchema): Json {
    return this.#describeObject(schema);
  }

  /** The components by their names, in the order of their first use. */
  all(): Json {
    return Object.fromEntries(this.#schemas);
  }

  #describeObject(value: object): Json {
    if (!('$id' in value) || typeof value.$id !== 'string') return this.#describeMembers(value);
    const { $id: name, ...schema } = value;
    if (!this.#schemas.has(name)) {
      // Added empty first, so that it comes before the components that it refers to.
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#describeMembers(schema));
    }
    return { $ref: `${this.#path}/${name}` };
  }

  #describeMembers(value: object): Json {
    const members = Object.fromEntries(
      Object.entries(value)
        .filter(([name, member]) => !isOwnKeyword(name, member))
        .map(([name, member]) => [name, this.#describeValue(member)]),
    );
    return isEnumOfStrings(members) ? { type: 'string', ...members } : members;
  }

  #describeValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.#describeValue(member));
    return typeof value === 'object' && value !== null ? this.#describeObject(value) : value;
  }
}

/** Keywords by which messages are read, and which nobody else knows. Members of these names have schemas as values. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set([
  'form',
  'codeList',
  'digits',
  'decimal',
  'oneOrList',
  'alsoNamed',
  'streetOrBox',
  'place',
]);

function isOwnKeyword(name: string, value: unknown): boolean {
  if (name === 'country') return value === true;
  if (name === 'decimal') return typeof value === 'object' && value !== null && 'whole' in value;
  return OWN_KEYWORDS.has(name) && typeof value !== 'object';
}

/** JSON Schema does not require the type of an enumeration; many tools for OpenAPI do. */
function isEnumOfStrings(schema: Json): boolean {
  return Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string');
}
