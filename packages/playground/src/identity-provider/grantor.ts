// The grantor: a registered domestic client with its key or certificate, or a foreign business with its eSeal.
import {
  type Certificate,
  domesticOrganisation,
  isOrganisationIdentifier,
  organizationIdentifier,
  quoteValue,
  subjectOrganisation,
  toBase64,
} from '@landfall/service/tokens';
import type { Chain } from './certificate-chain.js';
import { GrantRefusedError } from './grant-errors.js';
import type { ClientRow } from './queries.js';

/** A client that requests scopes, with the scopes that it may have. */
export type ScopeHolder = {
  clientId: string;
  organisation: string;
  /** The scopes with which the client is registered; `undefined` allows all that its organisation is granted. */
  registered: readonly string[] | undefined;
  granted: readonly string[];
};

/** The grantor, as described in its token. */
export type Grantor = {
  kind: 'domestic' | 'foreign';
  clientId: string;
  /** The organisation's identifier. */
  organisation: string;
  /** The claims about a foreign business, from its eSeal. */
  seal?: { organizationName: string | undefined; countryName: string | undefined };
};

/** The client, which must be registered, domestic and not blocked. Throws GrantRefusedError MP-100. */
export function checkClient(issuer: string, client: ClientRow | undefined): ClientRow {
  if (client === undefined || client.kind !== 'domestic') {
    throw new GrantRefusedError('MP-100', `iss is ${quoteValue(issuer)}`);
  }
  if (client.blocked) throw new GrantRefusedError('MP-100', `${quoteValue(issuer)} is blocked`);
  return client;
}

/** The client's key with that kid. Throws GrantRefusedError MP-011, MP-121 or MP-124. */
export function findRegisteredKey(
  kid: string | undefined,
  { keys }: ClientRow,
  now: Date,
): Record<string, unknown> {
  if (kid === undefined) {
    throw new GrantRefusedError('MP-011', 'the header has neither x5c nor kid');
  }
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) {
    throw new GrantRefusedError('MP-124', `the client has no key with the kid ${quoteValue(kid)}`);
  }
  if (typeof jwk.exp === 'number' && jwk.exp * 1000 <= now.getTime()) {
    throw new GrantRefusedError('MP-121', `the key ${quoteValue(kid)} ended at ${jwk.exp}`);
  }
  return jwk;
}

/** Checks that the certificate is made out to the client's organisation. Throws GrantRefusedError MP-122. */
export function checkOwner(leaf: Certificate, client: ClientRow): void {
  const organisation = domesticOrganisation(leaf);
  if (organisation !== client.organisation) {
    throw new GrantRefusedError(
      'MP-122',
      `it is ${organisation === undefined ? 'nobody' : quoteValue(organisation)}, and the client's is ${quoteValue(client.organisation)}`,
    );
  }
}

/** Whether the certificate is registered for the client. Then it needs no chain. */
export function isRegistered(leaf: Certificate, client: ClientRow): boolean {
  return client.certificates.includes(toBase64(leaf));
}

/** Describes the client for its token. */
export function describeClient({ clientId, organisation }: ClientRow): Grantor {
  return { kind: 'domestic', clientId, organisation };
}

/** The registration of a foreign business, and whether it or the eSeal is blocked. */
export type SealOwner = {
  kind: 'domestic' | 'foreign';
  blocked: boolean;
  granted: readonly string[];
};

/** The client_id in a foreign token: the eSeal's serial number, hexadecimal. */
export function sealClientId(seal: Certificate): string {
  return `eidas-${seal.serialNumber.toLowerCase()}`;
}

/** Checks that the grant contains the chain of the eSeal. Throws GrantRefusedError MP-120. */
export function checkEntireChain(chain: Chain): void {
  if (chain.length === 1) {
    throw new GrantRefusedError('MP-120', 'x5c has the leaf alone and must have its entire chain');
  }
}

/** The organisation that the eSeal names. Throws GrantRefusedError MP-120. */
export function readIdentifier(seal: Certificate): string {
  const identifier = organizationIdentifier(seal);
  if (isOrganisationIdentifier(identifier)) return identifier;
  throw new GrantRefusedError(
    'MP-120',
    `the certificate of ${quoteValue(seal.subject)} has no organizationIdentifier that names one`,
  );
}

/** Checks that the authority has blocked neither the business nor this eSeal. Throws GrantRefusedError MP-100. */
export function checkNotBlocked(seal: Certificate, owner: SealOwner | undefined): void {
  if (owner?.blocked) {
    throw new GrantRefusedError(
      'MP-100',
      `${quoteValue(readIdentifier(seal))} or its eSeal with the serial number ${seal.serialNumber.toLowerCase()} is blocked`,
    );
  }
}

/** The scopes of the business. An unregistered business may have only the test scope. */
export function holdScopes(seal: Certificate, owner: SealOwner | undefined): ScopeHolder {
  return {
    clientId: sealClientId(seal),
    organisation: readIdentifier(seal),
    registered: undefined,
    granted: owner?.kind === 'foreign' ? owner.granted : [],
  };
}

/** Describes the business for its token. */
export function describeSeal(seal: Certificate): Grantor {
  return {
    kind: 'foreign',
    clientId: sealClientId(seal),
    organisation: readIdentifier(seal),
    seal: subjectOrganisation(seal),
  };
}
