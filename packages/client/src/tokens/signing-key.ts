// The key that signs grants: a PEM text, a JWK, or something that signs elsewhere.
import { readPem } from '../der/pem.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import {
  chooseAlgorithm,
  type GrantAlgorithm,
  toWebCrypto,
  type WebCryptoAlgorithm,
} from './algorithms.js';
import { kindOfKey, toPkcs8 } from './private-key.js';
import { toRawSignature } from './raw-signature.js';

/** Signs grants with a key that the program does not have, such as one in an HSM. */
export type Signer = {
  algorithm: GrantAlgorithm;
  /**
   * Signs the bytes, which it hashes itself as the algorithm requires. A signature of ECDSA may be in either form: r and
   * s one after another, or DER.
   */
  sign(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
};

/** A private key (RFC 7517). */
export type PrivateJwk = {
  kty: string;
  kid?: string;
  alg?: string;
  crv?: string;
  [member: string]: unknown;
};

/** A PEM text with a private key (PKCS#8, PKCS#1 or SEC 1, not encrypted), a private JWK, or a signer. */
export type SigningKey = string | PrivateJwk | Signer;

/**
 * Opens a key.
 *
 * @param algorithm which algorithm an RSA key signs with; default RS256. The others follow from the key.
 * @throws ConfigurationError when the key cannot be used
 */
export async function openSigner(key: SigningKey, algorithm?: GrantAlgorithm): Promise<Signer> {
  if (typeof key !== 'string' && isSigner(key)) {
    const { algorithm: name } = key;
    return { algorithm: name, sign: async (data) => toRawSignature(await key.sign(data), name) };
  }
  const { kind, format, data, preferred } =
    typeof key === 'string' ? readPemKey(key) : readJwk(key);
  const name = chooseAlgorithm(kind, algorithm ?? preferred);
  const { key: keyAlgorithm, signature } = toWebCrypto(name, kind);
  const imported = await importKey(format, data, keyAlgorithm);
  return {
    algorithm: name,
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(signature, imported, bytes)),
  };
}

type ReadKey = {
  /** `RSA`, or the curve. */
  kind: string;
  format: 'jwk' | 'pkcs8';
  data: JsonWebKey | Uint8Array<ArrayBuffer>;
  /** The algorithm that the key names. */
  preferred?: string | undefined;
};

function isSigner(key: PrivateJwk | Signer): key is Signer {
  return 'sign' in key && typeof key.sign === 'function';
}

function readPemKey(text: string): ReadKey {
  const block = readPem(text).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block === undefined) throw new ConfigurationError('there is no private key in the PEM text');
  const data = toPkcs8(block);
  return { kind: kindOfKey(data), format: 'pkcs8', data };
}

/** Other members, such as `use` and `key_ops`, may contradict what the key is imported for. */
const KEY_MEMBERS = ['kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi'];

function readJwk(jwk: PrivateJwk): ReadKey {
  if (typeof jwk.d !== 'string') throw new ConfigurationError('the JWK is not a private key');
  const members = KEY_MEMBERS.filter((name) => name in jwk).map((name) => [name, jwk[name]]);
  const data: JsonWebKey = Object.fromEntries(members);
  return { kind: jwk.crv ?? jwk.kty, format: 'jwk', data, preferred: jwk.alg };
}

/** The smallest RSA key that the identity provider accepts, in bits. */
const MIN_RSA_BITS = 2048;

async function importKey(
  format: ReadKey['format'],
  data: ReadKey['data'],
  algorithm: WebCryptoAlgorithm['key'],
): Promise<CryptoKey> {
  let key: CryptoKey;
  try {
    // The cast is true because the format is `jwk` exactly if the data is one; the method has a type for each.
    key = await crypto.subtle.importKey(format as 'jwk', data as JsonWebKey, algorithm, false, [
      'sign',
    ]);
  } catch (cause) {
    throw new ConfigurationError(`the private key cannot be read as ${algorithm.name}`, { cause });
  }
  if ('modulusLength' in key.algorithm && Number(key.algorithm.modulusLength) < MIN_RSA_BITS) {
    throw new ConfigurationError(
      `an RSA key of ${key.algorithm.modulusLength} bits cannot sign grants: it needs ${MIN_RSA_BITS}`,
    );
  }
  return key;
}
