// Builds the address of a request.
import { ConfigurationError } from '../errors/landfall-error.js';

/** A member of a query. Members that are `undefined` are left out. */
export type QueryValue = string | number | boolean | undefined;

/**
 * The base address without slashes at its end.
 *
 * @throws ConfigurationError for one with a user or password, which `fetch` refuses, or with what no path can follow
 */
export function trimAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.username + url.password !== '') {
    throw new ConfigurationError(`the address of ${url.host} must not have a user and password`);
  }
  if (url !== undefined && /[?#]/.test(address)) {
    throw new ConfigurationError(`the address of ${url.host} must not have a query or a fragment`);
  }
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}

/**
 * Puts the parameters into the path, and the query behind it.
 *
 * @param defaults values of parameters that are left out
 * @throws ConfigurationError for a parameter that would change the path
 */
export function makeAddress(
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
  defaults: Readonly<Record<string, string>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? defaults[name] ?? '';
    // As a segment of a path, they stand for another address, also when they are encoded.
    if (/^\.\.?$/.test(value)) throw new ConfigurationError(`${name} must not be ${value}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
