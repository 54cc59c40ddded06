// Decrypts what a password protects: PBES2 with PBKDF2 and AES (RFC 8018, section 6.2).
import {
  type DerElement,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  readElement,
  readElements,
  SEQUENCE,
  toHex,
} from '../der/der.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import {
  aesKeyLengths,
  PBES2,
  PBKDF2,
  PKCS12_PBE,
  pseudoRandomFunctions,
} from './object-identifiers.js';

/** How to convert a file that has an old encryption. */
const RE_EXPORT =
  'export it again with AES: openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem, ' +
  'then openssl pkcs12 -export -in all.pem -out new.p12 -keypbe AES-256-CBC -certpbe AES-256-CBC -macalg sha256; ' +
  'then delete all.pem';

/**
 * Decrypts.
 *
 * @param algorithm the AlgorithmIdentifier of the encryption
 * @throws ConfigurationError when the encryption is not supported or the password is wrong
 */
export async function decrypt(
  algorithm: DerElement | undefined,
  encrypted: Uint8Array<ArrayBuffer>,
  password: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { identifier, parameters } = readAlgorithm(algorithm);
  if (identifier.startsWith(PKCS12_PBE)) {
    throw new ConfigurationError(
      `the file has an old encryption (RC2 or Triple DES); ${RE_EXPORT}`,
    );
  }
  if (identifier !== PBES2) throw unsupported();
  const [derivation, encryption] = readElements(parameters?.value ?? new Uint8Array());
  const cipher = readAlgorithm(encryption);
  const keyLength = aesKeyLengths[cipher.identifier];
  const iv = cipher.parameters?.value;
  if (keyLength === undefined || iv === undefined) throw unsupported();
  const key = await deriveKey(derivation, password, keyLength);
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, encrypted));
  } catch (cause) {
    throw new ConfigurationError('the password is wrong', { cause });
  }
}

async function deriveKey(
  derivation: DerElement | undefined,
  password: string,
  keyLength: number,
): Promise<CryptoKey> {
  const { identifier, parameters } = readAlgorithm(derivation);
  const members = readElements(parameters?.value ?? new Uint8Array());
  const [salt, iterations] = members;
  const prf = members.find(({ tag }) => tag === SEQUENCE);
  // RFC 8018: without one, it is HMAC with SHA-1.
  const hash = prf === undefined ? 'SHA-1' : pseudoRandomFunctions[readAlgorithm(prf).identifier];
  if (identifier !== PBKDF2 || salt?.tag !== OCTET_STRING || hash === undefined)
    throw unsupported();
  const secret = new TextEncoder().encode(password);
  const base = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', salt: salt.value, iterations: readIterations(iterations), hash },
    base,
    { name: 'AES-CBC', length: keyLength },
    false,
    ['decrypt'],
  );
}

/** An AlgorithmIdentifier: what it names, and its parameters. */
export function readAlgorithm(element: DerElement | undefined): {
  identifier: string;
  parameters: DerElement | undefined;
} {
  const [identifier, parameters] = readElements(element?.value ?? new Uint8Array());
  if (identifier?.tag !== OBJECT_IDENTIFIER) throw unsupported();
  return { identifier: toHex(identifier.value), parameters };
}

/** A derivation with more iterations would keep the program busy for many seconds; openssl uses 2,048. */
const MAX_ITERATIONS = 200_000;

/**
 * A number of iterations.
 *
 * @throws ConfigurationError when there are too many
 */
export function readIterations(element: DerElement | undefined, max = MAX_ITERATIONS): number {
  const iterations = Number.parseInt(toHex(element?.value ?? new Uint8Array()) || '0', 16);
  if (iterations <= max) return iterations;
  throw new ConfigurationError(
    `the key is derived from the password with ${iterations} iterations, and ${max} is the maximum; export it again with fewer: the option -iter of openssl`,
  );
}

/** The element inside an element with an explicit tag. */
export function readInner(element: DerElement | undefined): DerElement {
  if (element === undefined) throw unsupported();
  return readElement(element.value);
}

/** The error for a file that is not one that this module reads. */
export function unsupported(): ConfigurationError {
  return new ConfigurationError(
    `the file cannot be read: it is no PKCS#12 with a password and AES; ${RE_EXPORT}`,
  );
}
