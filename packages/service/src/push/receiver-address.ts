// The rules of the address of a receiver, as far as they can be checked without asking a name server.
import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.js';

/**
 * Who may receive: `public`: with TLS, at public addresses; `private`: with TLS, at any address; `any`: without TLS too, as
 * in a playground.
 */
export const RECEIVERS = ['public', 'private', 'any'] as const;
export type Receivers = (typeof RECEIVERS)[number];

/** Names that never leave a machine or a local network (RFC 6761, RFC 6762, RFC 8375 and ICANN). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)\.?$/i;

/** The host of an address as it is connected to: without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether a name is that of this machine (RFC 6761, section 6.3). */
export function isThisMachine(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/** Why an address cannot be that of a receiver; `undefined` if it can. */
export function findReceiverError(text: string, receivers: Receivers): string | undefined {
  if (!URL.canParse(text)) return 'must be an address such as https://receiver.example/hooks';
  const url = new URL(text);
  if (url.protocol !== 'https:' && receivers !== 'any') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') {
    return 'must not have a user or a password: what is sent is signed';
  }
  if (text.includes('#')) return 'must not have a fragment';
  const host = hostOf(url);
  if (receivers !== 'public') return undefined;
  if (isIP(host) === 0) {
    return LOCAL_NAMES.test(host) ? 'must not name a host of a local network' : undefined;
  }
  return isPublicAddress(host)
    ? undefined
    : 'must not be an address of a private, local or special network';
}
