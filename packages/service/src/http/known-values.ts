// Addresses whose parameters are one of some values: with any other one, there is no such address.
import type { Operation } from '@landfall/contract';

/** The values of parameters of an address, by their names. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The values of the parameters that are one of some. */
    oneOf?: KnownValues;
  }
}

/** The values of the parameters of an operation that are one of some. */
export function valuesOf(parameters: Operation['parameters'] = {}): KnownValues {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, schema]) =>
      // Safe cast: an enumeration in an address is one of texts.
      'enum' in schema ? [[name, schema.enum as readonly string[]]] : [],
    ),
  );
}

/** Whether each parameter that is one of some values has one of them. */
export function hasKnownValues(oneOf: KnownValues | undefined, parameters: unknown): boolean {
  if (oneOf === undefined) return true;
  // Safe cast: parameters of an address are texts.
  const given = parameters as Readonly<Record<string, string>>;
  for (const name in oneOf) {
    if (oneOf[name]?.includes(given[name] ?? '') === false) return false;
  }
  return true;
}
