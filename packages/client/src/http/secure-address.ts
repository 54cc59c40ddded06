// Which addresses may get tokens: those that nobody on the way can read.
import { ConfigurationError } from '../errors/landfall-error.js';

/**
 * Refuses an address that would send tokens or grants unencrypted to another machine.
 *
 * @param what the address is, as the error names it
 * @throws ConfigurationError
 */
export function requireSecure(address: string, what: string, allowHttp: boolean | undefined): void {
  if (!URL.canParse(address)) throw new ConfigurationError(`${what} is not a URL: ${address}`);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return;
  if (protocol === 'http:' && (allowHttp === true || isLoopback(hostname))) return;
  throw new ConfigurationError(
    protocol === 'http:'
      ? `${what} would get secrets unencrypted: use https, or allow http to ${hostname} with allowHttp`
      : `${what} must begin with https, not ${protocol}`,
  );
}

/** Whether the host is this machine. */
export function isLoopback(hostname: string): boolean {
  // A name below localhost is resolved by DNS on many systems, which may say anything.
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
