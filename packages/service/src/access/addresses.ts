// The names of the service in tokens, made from its address.
import type { IncomingHttpHeaders } from 'node:http';

/** The addresses at which clients reach a service, without a slash at the end. Production has one. */
export type OwnAddresses = {
  /** All that tokens may name; may become more while the service runs. */
  readonly all: readonly string[];
  /** The one to which a request was sent. It is one of them. */
  of(headers: IncomingHttpHeaders): string;
};

/** The addresses of a service that has one. */
export function oneAddress(address: string): OwnAddresses {
  return { all: [address], of: () => address };
}

/** The issuer of customs tokens. */
export function customsIssuer(baseUrl: string): string {
  return `${baseUrl}/api/access`;
}

/** The audiences of tokens that can be exchanged here. */
export function exchangeAudiences(baseUrl: string): string[] {
  return [
    baseUrl,
    `${baseUrl}/`,
    customsIssuer(baseUrl),
    `${baseUrl}/api/access/external/oauth/token`,
  ];
}
