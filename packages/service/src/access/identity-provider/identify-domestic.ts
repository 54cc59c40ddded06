// A domestic grant: a registered client signs with a registered key, or with its business certificate.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { tellValue } from '../oauth-refusal.js';
import type { ClientRow } from '../queries.js';
import { type Certificate, certificateKey, domesticOrganisation, toBase64 } from './certificate.js';
import { checkChain, checkLeaf, checkTime } from './certificate-chain.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';
import type { Grant } from './read-grant.js';

/**
 * Finds who gives a domestic grant.
 *
 * @param client the client of that client_id; `undefined` when none is registered
 * @throws GrantRefusedError MP-011, MP-100, MP-120, MP-121, MP-122, MP-124
 */
export async function identifyDomestic(
  grant: Grant,
  chain: readonly [Certificate, ...Certificate[]] | undefined,
  client: ClientRow | undefined,
  trustedIssuers: readonly Certificate[],
  now: Date,
): Promise<Grantor> {
  if (client === undefined || client.kind !== 'domestic') {
    throw new GrantRefusedError('MP-100', `iss is ${tellValue(grant.issuer)}`);
  }
  if (client.blocked) {
    throw new GrantRefusedError('MP-100', `${tellValue(grant.issuer)} is blocked`);
  }
  const key =
    chain === undefined
      ? findRegisteredKey(grant, client, now)
      : await findCertificateKey(chain, client, trustedIssuers, now);
  return {
    kind: 'domestic',
    clientId: client.clientId,
    organisation: client.organisation,
    key,
    registered: client.scopes ?? undefined,
    granted: client.granted,
  };
}

function findRegisteredKey({ kid }: Grant, { keys }: ClientRow, now: Date): KeyObject {
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
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/** A certificate that the client registered stands for itself; any other needs its chain. */
async function findCertificateKey(
  chain: readonly [Certificate, ...Certificate[]],
  client: ClientRow,
  trustedIssuers: readonly Certificate[],
  now: Date,
): Promise<KeyObject> {
  const [leaf] = chain;
  const organisation = domesticOrganisation(leaf);
  if (organisation !== client.organisation) {
    throw new GrantRefusedError(
      'MP-122',
      `it is ${organisation === undefined ? 'nobody' : tellValue(organisation)}, and the client's is ${tellValue(client.organisation)}`,
    );
  }
  if (client.certificates.includes(toBase64(leaf))) {
    checkLeaf(leaf);
    checkTime(leaf, now);
  } else {
    await checkChain(chain, trustedIssuers, now);
  }
  return certificateKey(leaf);
}
