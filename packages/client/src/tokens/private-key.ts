// Private keys in DER: which kind a key is, and PKCS#8 for keys in older forms.
import {
  INTEGER,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  readElement,
  readElements,
  SEQUENCE,
  toHex,
  writeElement,
} from '../der/der.js';
import type { PemBlock } from '../der/pem.js';
import { ConfigurationError } from '../errors/landfall-error.js';

const RSA = '2a864886f70d010101';
const EC = '2a8648ce3d0201';

/** Kinds of keys that can sign grants, by the object identifier of the key or its curve. */
const kinds: Record<string, string> = {
  [RSA]: 'RSA',
  '2a8648ce3d030107': 'P-256',
  '2b81040022': 'P-384',
  '2b81040023': 'P-521',
  '2b6570': 'Ed25519',
};

/**
 * The kind of a PKCS#8 key: `RSA`, or the curve as a JWK names it.
 *
 * @throws ConfigurationError for a kind that cannot sign grants
 */
export function kindOfKey(pkcs8: Uint8Array<ArrayBuffer>): string {
  const [, algorithm] = readElements(readElement(pkcs8).value);
  const [id, parameters] = readElements(algorithm?.value ?? new Uint8Array());
  const identifier = toHex(id?.value ?? new Uint8Array());
  const kind = kinds[identifier === EC ? toHex(parameters?.value ?? new Uint8Array()) : identifier];
  if (kind !== undefined) return kind;
  throw new ConfigurationError(
    'a key of this kind cannot sign grants: it must be RSA, P-256, P-384, P-521 or Ed25519',
  );
}

/**
 * The key as PKCS#8 (RFC 5958).
 *
 * @throws ConfigurationError for a key that is encrypted or of an unknown form
 */
export function toPkcs8({ label, bytes }: PemBlock): Uint8Array<ArrayBuffer> {
  switch (label) {
    case 'PRIVATE KEY':
      return bytes;
    case 'RSA PRIVATE KEY':
      return wrap(bytes, identifier(RSA), writeElement(0x05));
    case 'EC PRIVATE KEY':
      return wrap(bytes, identifier(EC), curveOf(bytes));
    case 'ENCRYPTED PRIVATE KEY':
      throw new ConfigurationError(
        'the private key is encrypted: decrypt it with decryptPem of @landfall/client/pkcs12',
      );
    default:
      throw new ConfigurationError(`a ${label} cannot sign grants`);
  }
}

function wrap(key: Uint8Array, ...algorithm: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const version = writeElement(INTEGER, Uint8Array.of(0));
  return writeElement(
    SEQUENCE,
    version,
    writeElement(SEQUENCE, ...algorithm),
    writeElement(OCTET_STRING, key),
  );
}

/** The curve is in the element with the context tag 0 (RFC 5915). */
function curveOf(sec1: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const curve = readElements(readElement(sec1).value).find(({ tag }) => tag === 0xa0);
  if (curve === undefined) throw new ConfigurationError('the EC key does not name its curve');
  return curve.value;
}

function identifier(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  return writeElement(OBJECT_IDENTIFIER, Uint8Array.from(bytes));
}
