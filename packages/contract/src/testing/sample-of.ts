// Makes a value that fits a schema of a response, and values that do not, for tests.
import type { TSchema } from 'typebox';
import type { SchemaPart } from '../find-oddity.js';

type Part = SchemaPart & {
  format?: string;
  minimum?: number;
  examples?: readonly unknown[];
};

/** A value with every member. */
export function sampleOf(schema: TSchema): unknown {
  // The cast is true because a schema is JSON Schema, which may have each of these members.
  const part = schema as Part;
  if ('const' in part) return part.const;
  if (part.enum !== undefined) return part.enum[0];
  if (part.anyOf?.[0] !== undefined) return sampleOf(part.anyOf[0]);
  switch (part.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(part.properties ?? {}).map(([name, member]) => [name, sampleOf(member)]),
      );
    case 'array':
      return part.items === undefined ? [] : [sampleOf(part.items)];
    case 'integer':
    case 'number':
      return part.minimum ?? 1;
    case 'boolean':
      return false;
    case 'string':
      return part.format === 'date-time'
        ? '2026-01-17T12:00:00Z'
        : part.format === 'uuid'
          ? '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01'
          : (part.examples?.[0] ?? 'x');
    default:
      return null;
  }
}

/** The value, in each of which one place is something else: of another type, or missing where it is required. */
export function* oddSamplesOf(schema: TSchema): Generator<{ place: string; value: unknown }> {
  // The cast is true as above.
  const { properties = {}, required = [], items, anyOf, type } = schema as Part;
  for (const other of [null, 7.5, {}, []]) {
    const isSame =
      (type === 'object' && isRecord(other)) ||
      (type === 'array' && Array.isArray(other)) ||
      (type === 'number' && typeof other === 'number');
    if (type !== undefined && !isSame) yield { place: `is ${JSON.stringify(other)}`, value: other };
  }
  const whole = sampleOf(schema);
  if (anyOf !== undefined || whole === null || typeof whole !== 'object') return;
  for (const [name, member] of Object.entries(properties)) {
    if (required.includes(name)) {
      const { [name]: _, ...others } = { ...whole } as Record<string, unknown>;
      yield { place: `${name} is missing`, value: others };
    }
    for (const { place, value } of oddSamplesOf(member)) {
      yield { place: `${name} ${place}`, value: { ...whole, [name]: value } };
    }
  }
  if (items === undefined) return;
  for (const { place, value } of oddSamplesOf(items)) {
    yield { place: `0 ${place}`, value: [value] };
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
