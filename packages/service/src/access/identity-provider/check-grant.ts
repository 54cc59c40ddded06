// What must hold of a grant whoever gives it: its signature, whom it is for, its times and its scopes.
import type { KeyObject } from 'node:crypto';
import {
  CLOCK_SKEW,
  GRANT_LIFETIME_LIMIT,
  type ParsedScope,
  parseScope,
  TEST_SCOPE,
} from '@landfall/contract';
import { compactVerify, errors } from 'jose';
import { tellValue } from '../oauth-refusal.js';
import { isStrong } from './certificate.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';
import type { Grant, GrantAlgorithm } from './read-grant.js';

/** Checks the signature. Throws GrantRefusedError MP-124. */
export async function checkSignature(
  { assertion, algorithm }: Grant,
  key: KeyObject,
): Promise<void> {
  if (!fits(key, algorithm)) {
    throw new GrantRefusedError('MP-124', `the key is not one for ${algorithm}`);
  }
  if (!isStrong(key)) throw new GrantRefusedError('MP-124', 'the key is shorter than 2048 bits');
  try {
    await compactVerify(assertion, key, { algorithms: [algorithm] });
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw error instanceof errors.JWSSignatureVerificationFailed
      ? new GrantRefusedError('MP-124', `with ${algorithm} and the key that the grant names`)
      : new GrantRefusedError('MP-011', 'the header of the assertion is not understood');
  }
}

/** A key signs in one way alone, whatever the header says. */
function fits(key: KeyObject, algorithm: GrantAlgorithm): boolean {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  switch (algorithm) {
    case 'ES256':
      return curve === 'prime256v1';
    case 'ES384':
      return curve === 'secp384r1';
    case 'ES512':
      return curve === 'secp521r1';
    case 'EdDSA':
      return key.asymmetricKeyType === 'ed25519';
    default:
      return key.asymmetricKeyType === 'rsa';
  }
}

/** Checks whom the grant is for, with or without a slash at the end. Throws GrantRefusedError MP-110. */
export function checkAudience({ audience }: Grant, issuer: string): void {
  if (!audience.some((name) => withoutSlash(name) === withoutSlash(issuer))) {
    throw new GrantRefusedError(
      'MP-110',
      `aud is ${audience.map(tellValue).join(', ')} and must be '${issuer}'`,
    );
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

/** Checks the grant's times. Throws GrantRefusedError MP-130. */
export function checkTimes({ issuedAt, expiresAt, notBefore }: Grant, now: Date): void {
  const seconds = now.getTime() / 1000;
  const found = `iat is ${issuedAt}, exp is ${expiresAt} and the time is ${Math.floor(seconds)}`;
  const broken =
    expiresAt <= seconds - CLOCK_SKEW ||
    issuedAt > seconds + CLOCK_SKEW ||
    expiresAt - issuedAt > GRANT_LIFETIME_LIMIT ||
    expiresAt < issuedAt;
  if (broken) throw new GrantRefusedError('MP-130', found);
  if (notBefore !== undefined && notBefore > seconds + CLOCK_SKEW) {
    throw new GrantRefusedError('MP-130', `nbf is ${notBefore}; ${found}`);
  }
}

/**
 * Checks that the grantor may have each scope: a client that is registered with scopes may ask for those, any
 * other grantor for what its organisation is granted. Throws GrantRefusedError MP-200 or MP-250.
 */
export function checkScopes({ scopes }: Grant, grantor: Grantor, prefix: string): void {
  for (const text of scopes) {
    if (grantor.kind === 'foreign' && text === `${prefix}${TEST_SCOPE}`) continue;
    const { name } = readScope(text, grantor, prefix);
    if (grantor.registered !== undefined) {
      if (grantor.registered.includes(name)) continue;
      throw new GrantRefusedError(
        'MP-200',
        `${tellValue(grantor.clientId)} is not registered with ${tellValue(text)}`,
      );
    }
    if (!grantor.granted.includes(name)) {
      throw new GrantRefusedError(
        'MP-250',
        `${tellValue(grantor.organisation)} asks for ${tellValue(text)}`,
      );
    }
  }
}

function readScope(text: string, { kind }: Grantor, prefix: string): ParsedScope {
  const scope = parseScope(text, prefix);
  if (scope === undefined) {
    throw new GrantRefusedError('MP-200', `there is no scope ${tellValue(text)}`);
  }
  if (scope.foreign !== (kind === 'foreign')) {
    throw new GrantRefusedError(
      'MP-200',
      `${tellValue(text)} is not a scope for ${kind} businesses`,
    );
  }
  return scope;
}
