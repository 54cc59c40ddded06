// A foreign grant: the business is known by its eSeal alone, which comes with its entire chain.

import {
  type Certificate,
  organizationIdentifier,
  subjectOrganisation,
} from '../../access/certificate.js';
import { tellValue } from '../../access/oauth-refusal.js';
import { isOrganisationIdentifier } from '../../access/organisation-identifier.js';
import type { Chain } from './certificate-chain.js';
import type { ScopeHolder } from './check-scopes.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';

/** What the authority says of the business and its eSeal. */
export type SealOwner = {
  kind: 'domestic' | 'foreign';
  blocked: boolean;
  granted: readonly string[];
};

/** The client_id in a foreign token: the eSeal's serial number, hexadecimal. */
export function sealClientId(seal: Certificate): string {
  return `eidas-${seal.serialNumber.toLowerCase()}`;
}

/** Checks that the eSeal did not come alone. Throws GrantRefusedError MP-120. */
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
    `the certificate of ${tellValue(seal.subject)} has no organizationIdentifier that names one`,
  );
}

/** Checks that the authority has blocked neither the business nor this eSeal. Throws GrantRefusedError MP-100. */
export function checkNotBlocked(seal: Certificate, owner: SealOwner | undefined): void {
  if (owner?.blocked) {
    throw new GrantRefusedError(
      'MP-100',
      `${tellValue(readIdentifier(seal))} or its eSeal with the serial number ${seal.serialNumber.toLowerCase()} is blocked`,
    );
  }
}

/** What the business may have; one that the authority does not know may have the test scope alone. */
export function holdScopes(seal: Certificate, owner: SealOwner | undefined): ScopeHolder {
  return {
    clientId: sealClientId(seal),
    organisation: readIdentifier(seal),
    registered: undefined,
    granted: owner?.kind === 'foreign' ? owner.granted : [],
  };
}

/** What a token says of the business. */
export function describeSeal(seal: Certificate): Grantor {
  return {
    kind: 'foreign',
    clientId: sealClientId(seal),
    organisation: readIdentifier(seal),
    seal: subjectOrganisation(seal),
  };
}
