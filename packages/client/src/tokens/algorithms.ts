// The signature algorithms of a grant (RFC 7518, RFC 8037), the keys for each, and how WebCrypto names them.
import { ConfigurationError } from '../errors/landfall-error.js';

/** A signature algorithm that the service accepts. */
export type GrantAlgorithm =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA';

/** The algorithms for each kind of key; the first is the default. */
const algorithmsOfKind: Record<string, readonly GrantAlgorithm[]> = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA'],
};

/**
 * The algorithm that a key signs with.
 *
 * @param kind `RSA`, or the curve as a JWK names it
 * @throws ConfigurationError when the requested algorithm does not fit the key
 */
export function chooseAlgorithm(kind: string, requested: string | undefined): GrantAlgorithm {
  const algorithms = algorithmsOfKind[kind] ?? [];
  const chosen = algorithms.find((name) => requested === undefined || name === requested);
  if (chosen !== undefined) return chosen;
  throw new ConfigurationError(
    algorithms.length === 0
      ? `a key of the kind ${kind} cannot sign grants`
      : `a key of the kind ${kind} cannot sign with ${requested}, only with ${algorithms.join(', ')}`,
  );
}

/** How WebCrypto imports a key for an algorithm, and how it signs. */
export type WebCryptoAlgorithm = {
  key: { name: string; hash?: string; namedCurve?: string };
  signature: { name: string; hash?: string; saltLength?: number };
};

export function toWebCrypto(algorithm: GrantAlgorithm, kind: string): WebCryptoAlgorithm {
  if (algorithm === 'EdDSA') return { key: { name: kind }, signature: { name: kind } };
  const bits = algorithm.slice(2);
  const hash = `SHA-${bits}`;
  if (algorithm.startsWith('ES')) {
    const name = 'ECDSA';
    return { key: { name, namedCurve: kind }, signature: { name, hash } };
  }
  const isPss = algorithm.startsWith('PS');
  const name = isPss ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
  return {
    key: { name, hash },
    signature: isPss ? { name, saltLength: Number(bits) / 8 } : { name },
  };
}
