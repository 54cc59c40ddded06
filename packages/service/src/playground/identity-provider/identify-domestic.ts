// A domestic grant: a registered client signs with a registered key, or with its business certificate.

import { type Certificate, domesticOrganisation, toBase64 } from '../../access/certificate.js';
import { tellValue } from '../../access/oauth-refusal.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';
import type { ClientRow } from './queries.js';

/** The client, when it is registered, domestic and not blocked. Throws GrantRefusedError MP-100. */
export function checkClient(issuer: string, client: ClientRow | undefined): ClientRow {
  if (client === undefined || client.kind !== 'domestic') {
    throw new GrantRefusedError('MP-100', `iss is ${tellValue(issuer)}`);
  }
  if (client.blocked) throw new GrantRefusedError('MP-100', `${tellValue(issuer)} is blocked`);
  return client;
}

/** The client's key of that name. Throws GrantRefusedError MP-011, MP-121 or MP-124. */
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
    throw new GrantRefusedError('MP-124', `the client has no key with the kid ${tellValue(kid)}`);
  }
  if (typeof jwk.exp === 'number' && jwk.exp * 1000 <= now.getTime()) {
    throw new GrantRefusedError('MP-121', `the key ${tellValue(kid)} ended at ${jwk.exp}`);
  }
  return jwk;
}

/** Checks that the certificate is made out to the client's organisation. Throws GrantRefusedError MP-122. */
export function checkOwner(leaf: Certificate, client: ClientRow): void {
  const organisation = domesticOrganisation(leaf);
  if (organisation !== client.organisation) {
    throw new GrantRefusedError(
      'MP-122',
      `it is ${organisation === undefined ? 'nobody' : tellValue(organisation)}, and the client's is ${tellValue(client.organisation)}`,
    );
  }
}

/** A certificate that the client registered stands for itself; any other needs its chain. */
export function isRegistered(leaf: Certificate, client: ClientRow): boolean {
  return client.certificates.includes(toBase64(leaf));
}

/** What a token says of the client. */
export function describeClient({ clientId, organisation }: ClientRow): Grantor {
  return { kind: 'domestic', clientId, organisation };
}
