// The key that signs grants: a PEM text, a JWK, or something that signs elsewhere.
import { readPem } from '../der/pem.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import {
  chooseAlgorithm,
  type GrantAlgorithm,
  toWebCrypto,
  type WebCryptoAlgorithm,
} from './algorithms.js';
import {
  type ExportableKey,
  exportKey,
  isExportable,
  isObject,
  isPlatformKey,
  type PlatformKey,
  readPlatformKey,
} from './platform-keys.js';
import type { PrivateJwk } from './private-jwk.js';
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

/**
 * A PEM text with a private key (PKCS#8, PKCS#1 or SEC 1, not encrypted), the bytes of one, a private JWK, a `KeyObject` of
 * Node.js, a `CryptoKey`, or a signer.
 */
export type SigningKey = string | Uint8Array | PrivateJwk | ExportableKey | PlatformKey | Signer;

/**
 * Opens a key.
 *
 * @param algorithm which algorithm an RSA key signs with; default RS256. The others follow from the key.
 * @throws ConfigurationError when the key cannot be used
 */
export async function openSigner(key: SigningKey, algorithm?: GrantAlgorithm): Promise<Signer> {
  if (isSigner(key)) {
    const { algorithm: name } = key;
    return { algorithm: name, sign: async (data) => toRawSignature(await key.sign(data), name) };
  }
  if (isPlatformKey(key)) return openPlatformKey(key, algorithm);
  const { kind, format, data, preferred } = readKey(key);
  const name = chooseAlgorithm(kind, algorithm ?? preferred);
  const { key: keyAlgorithm } = toWebCrypto(name, kind);
  return signerOf(await importKey(format, data, keyAlgorithm), name, kind);
}

/** Members of a JWK that are public and identify it. */
const PUBLIC_MEMBERS = ['kid', 'kty', 'crv', 'x', 'y', 'n', 'e'];

/**
 * What tells a key from others; `undefined` of one that does not leave where it is, such as that of a signer, and of what is
 * no key.
 */
export function describeIdentityOf(key: SigningKey): unknown {
  if (typeof key === 'string') return contentOf(key);
  if (ArrayBuffer.isView(key)) return contentOf(new TextDecoder().decode(key));
  if (!isObject(key) || isSigner(key) || isPlatformKey(key)) return undefined;
  const jwk = isExportable(key) ? exportKey(key) : key;
  return PUBLIC_MEMBERS.map((name) => (name in jwk ? Reflect.get(jwk, name) : undefined));
}

/** A PEM text is the same however its lines are broken. */
const contentOf = (text: string) => text.replaceAll(/\s|\\[rn]/g, '');

function signerOf(key: CryptoKey, algorithm: GrantAlgorithm, kind: string): Signer {
  const { signature } = toWebCrypto(algorithm, kind);
  return {
    algorithm,
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(signature, key, bytes)),
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

function isSigner(key: SigningKey): key is Signer {
  return isObject(key) && 'sign' in key && typeof key.sign === 'function';
}

/** @param key of a program without types, anything */
function readKey(key: Exclude<SigningKey, Signer | PlatformKey>): ReadKey {
  if (typeof key === 'string') return readPemKey(key);
  if (ArrayBuffer.isView(key)) return readPemKey(textOfBytes(key));
  if (isExportable(key)) return readJwk(exportKey(key));
  if (isObject(key) && typeof key.kty === 'string') return readJwk(key);
  throw new ConfigurationError(
    `key must be a PEM text or its bytes, a private JWK, a KeyObject, a CryptoKey, or { algorithm, sign }, not ${describeKey(key)}`,
  );
}

/** What somebody gave in place of a key, without its contents. */
function describeKey(key: unknown): string {
  if (key === null || Array.isArray(key)) return key === null ? 'null' : 'an array';
  return typeof key === 'object' ? 'another object' : typeof key;
}

function readPemKey(text: string): ReadKey {
  const block = readPem(text).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block === undefined) throw new ConfigurationError('there is no private key in the PEM text');
  const data = toPkcs8(block);
  return { kind: kindOfKey(data), format: 'pkcs8', data };
}

function textOfBytes(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (text.includes('-----BEGIN')) return text;
  throw new ConfigurationError(
    'the bytes of the key are no PEM text: readPkcs12 reads a .p12 file, and openssl pkey converts DER',
  );
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
  checkLength(key);
  return key;
}

function openPlatformKey(given: PlatformKey, algorithm: GrantAlgorithm | undefined): Signer {
  const { kind, preferred } = readPlatformKey(given);
  const name = chooseAlgorithm(kind, algorithm ?? preferred);
  if (preferred !== undefined && name !== preferred) {
    throw new ConfigurationError(`the CryptoKey can sign with ${preferred} only, not with ${name}`);
  }
  // The cast is true because the members of a CryptoKey were checked.
  const key = given as CryptoKey;
  checkLength(key);
  return signerOf(key, name, kind);
}

function checkLength(key: CryptoKey): void {
  if ('modulusLength' in key.algorithm && Number(key.algorithm.modulusLength) < MIN_RSA_BITS) {
    throw new ConfigurationError(
      `an RSA key of ${key.algorithm.modulusLength} bits cannot sign grants: it needs ${MIN_RSA_BITS}`,
    );
  }
}
