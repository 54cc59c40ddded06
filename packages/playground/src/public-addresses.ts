// The addresses at which clients reach a playground: its own, and those that its options name, for clients on other hosts.
import type { IncomingHttpHeaders } from 'node:http';
import type { OwnAddresses } from '@landfall/service/assembly';
import { PlaygroundOptionError } from './option-error.js';

/** How many ports of hosts with any port are remembered: a further one takes the place of the one that was used least recently. */
const MAX_PORTS = 100;

/** The most addresses that an option may name. */
const MAX_ADDRESSES = 20;

/** The option, for messages. */
const OPTION = 'publicUrl (LANDFALL_PUBLIC_URL)';

const RULE =
  'must be an address such as http://playground:8080, or http://localhost:* for any port of this host: without path, query or user';

/** `http://localhost:*`: the scheme and the host, in lower case. */
const ANY_PORT = /^(https?):\/\/([^\s/?#@:[\]]+|\[[\da-f:.]+\]):\*\/?$/i;

/** A `Host` header, without what an address may have beside the host and the port. */
const HOST = /^[^\s/?#@\\]+$/;

/** The addresses of a playground. */
export class PublicAddresses implements OwnAddresses {
  readonly #fixed: readonly string[];
  /** The address for a `Host` header. */
  readonly #byHost = new Map<string, string>();
  /** The scheme of each host that has any port. */
  readonly #anyPort = new Map<string, string>();
  /** The addresses of ports that were seen, by `Host`; the one that was used last is the last. */
  readonly #mapped = new Map<string, string>();
  #all: readonly string[];

  /**
   * @param given those of the option, checked by `checkPublicUrl`
   * @param local the address on this machine
   */
  constructor(given: readonly string[], local: string) {
    const fixed: string[] = [];
    for (const text of given) {
      const [, scheme, host] = ANY_PORT.exec(text) ?? [];
      if (scheme === undefined || host === undefined) fixed.push(new URL(text).origin);
      else this.#anyPort.set(host.toLowerCase(), scheme.toLowerCase());
    }
    this.#fixed = [...new Set([...fixed, local])];
    this.#all = this.#fixed;
    for (const address of this.#fixed) {
      const { host } = new URL(address);
      if (!this.#byHost.has(host)) this.#byHost.set(host, address);
    }
  }

  get all(): readonly string[] {
    return this.#all;
  }

  /** The one that is handed out when a request names none: the first of the option without `*`, else that of this machine. */
  get first(): string {
    return this.#all[0] ?? '';
  }

  of({ host = '' }: IncomingHttpHeaders): string {
    return this.#byHost.get(host) ?? this.#find(host) ?? this.first;
  }

  /** The addresses of a part of it, whose addresses begin with theirs; the path may change until somebody has them. */
  below(findPath: () => string): OwnAddresses {
    const parent = this;
    return {
      get all() {
        const path = findPath();
        return parent.all.map((address) => address + path);
      },
      of: (headers) => parent.of(headers) + findPath(),
    };
  }

  /** The address of a `Host` that was not written as it is in an address, or has a port that was not seen before. */
  #find(host: string): string | undefined {
    if (host.length > 300 || !HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined;
    const parsed = new URL(`http://${host}`);
    const known = this.#byHost.get(parsed.host);
    if (known !== undefined) return known;
    const scheme = this.#anyPort.get(parsed.hostname);
    if (scheme === undefined) return undefined;
    const isNew = !this.#mapped.delete(parsed.host);
    const address = new URL(`${scheme}://${parsed.host}`).origin;
    this.#mapped.set(parsed.host, address);
    if (isNew) this.#changeMapped();
    return address;
  }

  #changeMapped(): void {
    const [oldest = ''] = this.#mapped.keys();
    if (this.#mapped.size > MAX_PORTS) this.#mapped.delete(oldest);
    this.#all = [...new Set([...this.#fixed, ...this.#mapped.values()])];
  }
}

/** The addresses that an option names: a list, or a text with commas or blanks between them. */
export function listPublicUrls(given: string | readonly string[] = []): readonly string[] {
  return typeof given === 'string' ? given.split(/[\s,]+/).filter((text) => text !== '') : given;
}

/** @throws PlaygroundOptionError that names the option and the rule */
export function checkPublicUrl(given: string | readonly unknown[]): void {
  // A variable of a script that has no value.
  if (typeof given === 'string' && given.includes(',') && given.split(',').some(isBlank)) {
    throw new PlaygroundOptionError(`${OPTION} must have an address before and after each comma`);
  }
  const listed: readonly unknown[] = typeof given === 'string' ? listPublicUrls(given) : given;
  if (listed.length > MAX_ADDRESSES) {
    throw new PlaygroundOptionError(`${OPTION} must have at most ${MAX_ADDRESSES} addresses`);
  }
  const wrong = listed.find((text) => !isPublicUrl(text));
  if (wrong === undefined) return;
  // An address with a user may have a password.
  const shown = typeof wrong === 'string' && !wrong.includes('@') ? `, not ${wrong}` : '';
  throw new PlaygroundOptionError(`${OPTION} ${RULE}${shown}`);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isPublicUrl(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > 300) return false;
  const concrete = ANY_PORT.test(text) ? text.replace(':*', ':1') : text;
  if (!/^https?:\/\/[^\s/?#@*]+\/?$/i.test(concrete) || !URL.canParse(concrete)) return false;
  return new URL(concrete).pathname === '/';
}
