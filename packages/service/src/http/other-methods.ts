// Refuses methods that an address does not have. A route for each of them, of which Node.js reads more than thirty, would
// take most of the time in which a server is made, and of its memory.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KnownValues } from './known-values.js';
import { HttpError } from './problem.js';

/** An address with its parameters, and the methods that it has. */
type Address = {
  parts: readonly string[];
  oneOf: KnownValues | undefined;
  methods: Set<string>;
};

/** The methods of each address of a server. */
export class OtherMethods {
  readonly #addresses = new Map<string, Address>();

  /** Follows the routes that are added from now on. Those that match any address below them are left out. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (url.includes('*')) return;
      const address = this.#addresses.get(url) ?? {
        parts: url.split('/'),
        oneOf: config?.oneOf,
        methods: new Set(),
      };
      for (const name of [method].flat()) address.methods.add(name);
      this.#addresses.set(url, address);
    });
  }

  /** The error for a request that no route has; `undefined` if its address has no methods. */
  refuse(request: FastifyRequest): HttpError | undefined {
    const parts = (request.url.split(/[?#]/, 1)[0] ?? '').split('/').map(decode);
    const methods = new Set<string>();
    for (const address of this.#addresses.values()) {
      if (!matches(address, parts)) continue;
      for (const method of address.methods) methods.add(method);
    }
    if (methods.size === 0) return undefined;
    const allow = [...methods].sort().join(', ');
    return new HttpError(405, `Allowed here: ${allow}`, { Allow: allow });
  }
}

function matches({ parts: pattern, oneOf }: Address, parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => {
      const given = parts[index] ?? '';
      if (!part.startsWith(':')) return part === given;
      return given !== '' && oneOf?.[part.slice(1)]?.includes(given) !== false;
    })
  );
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
