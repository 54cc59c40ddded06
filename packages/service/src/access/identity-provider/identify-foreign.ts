// A foreign grant: the business is known by its eSeal alone, which comes with its entire chain.

import { tellValue } from '../oauth-refusal.js';
import { isOrganisationIdentifier } from '../organisation-identifier.js';
import type { OrganisationRow } from '../queries.js';
import {
  type Certificate,
  certificateKey,
  organizationIdentifier,
  subjectOrganisation,
} from './certificate.js';
import { checkChain } from './certificate-chain.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';

/** The client_id in a foreign token: the eSeal's serial number, hexadecimal. */
export function sealClientId(seal: Certificate): string {
  return `eidas-${seal.serialNumber.toLowerCase()}`;
}

/**
 * Finds who gives a foreign grant. An organisation that the authority does not know may have the test scope.
 *
 * @throws GrantRefusedError MP-100, MP-120, MP-121
 */
export async function identifyForeign(
  chain: readonly [Certificate, ...Certificate[]],
  trustedIssuers: readonly Certificate[],
  findOrganisation: (identifier: string, clientId: string) => Promise<OrganisationRow | undefined>,
  now: Date,
): Promise<Grantor> {
  const [seal] = chain;
  if (chain.length === 1) {
    throw new GrantRefusedError('MP-120', 'x5c has the leaf alone and must have its entire chain');
  }
  await checkChain(chain, trustedIssuers, now);
  const identifier = organizationIdentifier(seal);
  if (!isOrganisationIdentifier(identifier)) {
    throw new GrantRefusedError(
      'MP-120',
      `the certificate of ${tellValue(seal.subject)} has no organizationIdentifier that names one`,
    );
  }
  const clientId = sealClientId(seal);
  const organisation = await findOrganisation(identifier, clientId);
  if (organisation?.blocked) {
    throw new GrantRefusedError('MP-100', `${tellValue(identifier)} is blocked`);
  }
  return {
    kind: 'foreign',
    clientId,
    organisation: identifier,
    key: certificateKey(seal),
    registered: undefined,
    granted: organisation?.kind === 'foreign' ? organisation.granted : [],
    seal: subjectOrganisation(seal),
  };
}
