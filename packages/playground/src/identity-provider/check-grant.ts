// The rules for every grant: its signature, its audience and its times.
import type { KeyObject } from 'node:crypto';
import { CLOCK_SKEW, GRANT_LIFETIME_LIMIT } from '@landfall/contract';
import {
  fitsAlgorithm,
  type GrantAlgorithm,
  isStrong,
  quoteValue,
  verifySignature,
} from '@landfall/service/tokens';
import { GrantRefusedError } from './grant-errors.js';

/** Checks the signature. Throws GrantRefusedError MP-124. */
export async function checkSignature(
  assertion: string,
  algorithm: GrantAlgorithm,
  key: KeyObject,
): Promise<void> {
  if (!fitsAlgorithm(key, algorithm)) {
    throw new GrantRefusedError('MP-124', `the key is not one for ${algorithm}`);
  }
  if (!isStrong(key)) throw new GrantRefusedError('MP-124', 'the key is shorter than 2048 bits');
  if (!(await verifySignature(assertion, algorithm, key))) {
    throw new GrantRefusedError('MP-124', `with ${algorithm} and the key that the grant names`);
  }
}

/** Checks that a key that is registered for an algorithm signs only with it. Throws GrantRefusedError MP-124. */
export function checkKeyAlgorithm(
  key: Readonly<Record<string, unknown>> | undefined,
  algorithm: GrantAlgorithm,
): void {
  if (key?.alg !== undefined && key.alg !== algorithm) {
    throw new GrantRefusedError(
      'MP-124',
      `alg is ${algorithm}, and the key ${quoteValue(key.kid)} is registered for ${quoteValue(key.alg)} alone`,
    );
  }
  if (key?.use !== undefined && key.use !== 'sig') {
    throw new GrantRefusedError(
      'MP-124',
      `the key ${quoteValue(key.kid)} is registered with the use ${quoteValue(key.use)} and not for signatures`,
    );
  }
}

/**
 * Checks that the only audience is this identity provider, with or without a slash at the end, and returns its name.
 * Throws GrantRefusedError MP-110.
 *
 * @param issuer the address to which the grant was sent
 * @param issuers all addresses of the identity provider
 */
export function checkAudience(
  audience: readonly string[],
  issuer: string,
  issuers: readonly string[] = [issuer],
): string {
  const [name = ''] = audience;
  const found = issuers.find((each) => withoutSlash(each) === withoutSlash(name));
  if (audience.length !== 1 || found === undefined) {
    throw new GrantRefusedError(
      'MP-110',
      `aud is ${audience.map(quoteValue).join(', ')} and must be '${issuer}' alone`,
    );
  }
  return found;
}

/**
 * Checks that the token is requested only for this service, for which all tokens of the identity provider are. Throws
 * GrantRefusedError MP-011.
 */
export function checkResources(resources: readonly string[], audiences: readonly string[]): void {
  for (const resource of resources) {
    if (audiences.includes(resource)) continue;
    throw new GrantRefusedError(
      'MP-011',
      `resource is ${quoteValue(resource)} and must be ${audiences[0]} or left out`,
      'invalid_target',
    );
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

/** The times of a grant, in seconds since 1970. */
export type GrantTimes = {
  issuedAt: number;
  expiresAt: number;
  notBefore: number | undefined;
};

/** Checks that the validity of the grant has begun, within the clock skew. Throws GrantRefusedError MP-130. */
export function checkBegun(times: GrantTimes, now: Date): void {
  const latest = now.getTime() / 1000 + CLOCK_SKEW;
  if (times.issuedAt > latest) throw outOfTime(times, now);
  if (times.notBefore !== undefined && times.notBefore > latest) throw outOfTime(times, now);
}

/** Checks that the grant has not expired, within the clock skew. Throws GrantRefusedError MP-130. */
export function checkNotOver(times: GrantTimes, now: Date): void {
  if (times.expiresAt <= now.getTime() / 1000 - CLOCK_SKEW) throw outOfTime(times, now);
}

/** Checks the lifetime of the grant. Throws GrantRefusedError MP-130. */
export function checkLifetime(times: GrantTimes, now: Date): void {
  const { issuedAt, expiresAt } = times;
  if (expiresAt - issuedAt > GRANT_LIFETIME_LIMIT || expiresAt < issuedAt) {
    throw outOfTime(times, now);
  }
}

function outOfTime({ issuedAt, expiresAt, notBefore }: GrantTimes, now: Date): GrantRefusedError {
  const begin = notBefore === undefined ? '' : `nbf is ${notBefore}; `;
  const seconds = Math.floor(now.getTime() / 1000);
  return new GrantRefusedError(
    'MP-130',
    `${begin}iat is ${issuedAt}, exp is ${expiresAt} and the time is ${seconds}`,
  );
}
