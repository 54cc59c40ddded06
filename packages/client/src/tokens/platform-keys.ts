// Keys as the platform has them: a KeyObject of Node.js, and a CryptoKey of WebCrypto, which may not be exportable.
import { ConfigurationError } from '../errors/landfall-error.js';
import type { PrivateJwk } from './private-jwk.js';

/** A private `KeyObject` of `node:crypto`. */
export type ExportableKey = {
  readonly type: string;
  export(options: { format: 'jwk' }): object;
};

/** A private `CryptoKey` that may sign. It need not be extractable. */
export type PlatformKey = {
  readonly type: string;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isExportable(key: unknown): key is ExportableKey {
  return isObject(key) && typeof key.type === 'string' && typeof key.export === 'function';
}

export function isPlatformKey(key: unknown): key is PlatformKey {
  return isObject(key) && Array.isArray(key.usages) && isObject(key.algorithm);
}

/** @throws ConfigurationError for a KeyObject that is not private, or of a kind without a JWK */
export function exportKey(key: ExportableKey): PrivateJwk {
  if (key.type !== 'private') throw new ConfigurationError(`the KeyObject is a ${key.type} key`);
  try {
    // The cast is true because a private key as JWK has a kty.
    return key.export({ format: 'jwk' }) as PrivateJwk;
  } catch (cause) {
    throw new ConfigurationError('the KeyObject cannot be exported: give the key as PEM', {
      cause,
    });
  }
}

/**
 * The kind of a CryptoKey and the algorithm that it was made for.
 *
 * @throws ConfigurationError for one that cannot sign
 */
export function readPlatformKey({ type, algorithm, usages }: PlatformKey): {
  kind: string;
  preferred: string | undefined;
} {
  if (type !== 'private' || !usages.includes('sign')) {
    throw new ConfigurationError('the CryptoKey must be a private key with the usage "sign"');
  }
  // The cast is true because these are the members that the algorithms of WebCrypto have.
  const { name, namedCurve, hash } = algorithm as {
    name: string;
    namedCurve?: string;
    hash?: { name: string };
  };
  const bits = hash?.name.slice('SHA-'.length);
  if (name === 'RSASSA-PKCS1-v1_5') return { kind: 'RSA', preferred: `RS${bits}` };
  if (name === 'RSA-PSS') return { kind: 'RSA', preferred: `PS${bits}` };
  return { kind: namedCurve ?? name, preferred: undefined };
}
