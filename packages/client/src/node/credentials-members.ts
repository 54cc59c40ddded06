// The members of a file of credentials.
import { ConfigurationError } from '../errors/landfall-error.js';
import { textOf } from '../errors/read-api-error.js';
import type { PrivateJwk } from '../tokens/private-jwk.js';

/** The members of a file, which its errors name. */
export class Members {
  readonly file: string;
  readonly #members: Record<string, unknown>;

  constructor(file: string, members: Record<string, unknown>) {
    this.file = file;
    this.#members = members;
  }

  has(name: string): boolean {
    return this.#members[name] !== undefined;
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw this.missing(name);
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = this.#members[name];
    if (value !== undefined && textOf(value) === undefined) throw this.invalid(name, 'a text');
    return textOf(value);
  }

  /** False if it is absent. */
  flag(name: string): boolean {
    const value = this.#members[name] ?? false;
    if (typeof value !== 'boolean') throw this.invalid(name, 'true or false');
    return value;
  }

  list(name: string): string[] {
    const value = this.#members[name];
    if (value === undefined) throw this.missing(name);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw this.invalid(name, 'an array of texts');
  }

  key(name: string): string | PrivateJwk {
    const value = this.#members[name];
    if (value === undefined) throw this.missing(name);
    if (typeof value === 'string' || isJwk(value)) return value;
    throw this.invalid(name, 'a PEM text or a private JWK');
  }

  missing(name: string): ConfigurationError {
    return new ConfigurationError(`${this.file} has no ${name}`);
  }

  invalid(name: string, expected: string): ConfigurationError {
    return new ConfigurationError(`${name} in ${this.file} is not ${expected}`);
  }
}

function isJwk(value: unknown): value is PrivateJwk {
  return typeof value === 'object' && value !== null && 'kty' in value;
}
