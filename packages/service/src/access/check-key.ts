// The rules for a public key that a client registers (RFC 7517).
import { createPublicKey, type KeyObject } from 'node:crypto';
import { GRANT_ALGORITHMS, type ValidationError } from '@landfall/contract';
import { isStrong } from './certificate.js';
import { fitsAlgorithm } from './verify-signature.js';

/** A key as it was sent: any members. */
type Jwk = Readonly<Record<string, unknown>>;

/** Members of private and symmetric keys (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Members of a public key that are kept. */
const PUBLIC_MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e', 'exp'];

const acceptedCurves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Lists every broken rule of a key; `keys` are all keys of its client. */
export function checkKey(key: Jwk, keys: readonly Jwk[], field: string): ValidationError[] {
  const errors: ValidationError[] = [];
  const secret = PRIVATE_MEMBERS.filter((name) => Object.hasOwn(key, name));
  if (secret.length > 0) {
    errors.push({
      field,
      error: `must be a public key, without ${secret.join(', ')}: replace this key`,
      code: 'FORMAT',
    });
  } else if (!isAccepted(key)) {
    errors.push({
      field,
      error: 'must be an RSA key of 2048 bits or more, or one on P-256, P-384, P-521 or Ed25519',
      code: 'FORMAT',
    });
  }
  if (typeof key.kid !== 'string' || key.kid === '') {
    errors.push({ field: `${field}.kid`, error: 'must not be blank', code: 'REQUIRED' });
  } else if (keys.find(({ kid }) => kid === key.kid) !== key) {
    errors.push({ field: `${field}.kid`, error: 'must not be given twice', code: 'FORMAT' });
  }
  errors.push(...checkUse(key, field));
  if (key.exp !== undefined && typeof key.exp !== 'number') {
    errors.push({ field: `${field}.exp`, error: 'must be a number', code: 'FORMAT' });
  }
  return errors;
}

/** `use` and `alg`, where they are given, must be for signatures of grants and fit the key. */
function checkUse(key: Jwk, field: string): ValidationError[] {
  const errors: ValidationError[] = [];
  if (key.use !== undefined && key.use !== 'sig') {
    errors.push({ field: `${field}.use`, error: "must be 'sig'", code: 'FORMAT' });
  }
  if (key.alg === undefined) return errors;
  const algorithm = GRANT_ALGORITHMS.find((name) => name === key.alg);
  const object = readKey(key);
  if (algorithm === undefined || (object !== undefined && !fitsAlgorithm(object, algorithm))) {
    const error = `must be one of ${GRANT_ALGORITHMS.join(', ')} that fits the key`;
    errors.push({ field: `${field}.alg`, error, code: 'FORMAT' });
  }
  return errors;
}

/** The key without unknown members. */
export function publicMembers(key: Jwk): Record<string, unknown> {
  return Object.fromEntries(
    PUBLIC_MEMBERS.filter((name) => Object.hasOwn(key, name)).map((name) => [name, key[name]]),
  );
}

/** `undefined` when it cannot be read. */
function readKey(jwk: Jwk): KeyObject | undefined {
  try {
    return createPublicKey({ key: publicMembers(jwk), format: 'jwk' });
  } catch {
    return undefined;
  }
}

function isAccepted(jwk: Jwk): boolean {
  const key = readKey(jwk);
  if (key === undefined) return false;
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return isStrong(key);
    case 'ec':
      return acceptedCurves.has(key.asymmetricKeyDetails?.namedCurve ?? '');
    default:
      return key.asymmetricKeyType === 'ed25519';
  }
}
